#include "jounce/api/summary_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "jounce/base/suggest.hpp"
#include "jounce/results/noise.hpp"

namespace jounce {
namespace {

class SummaryTexts {
 public:
  SummaryTexts(const Run& run, const RunSummary& summary, const Units& units, std::size_t most)
      : run_(run), summary_(summary), rest_(run.rest.has_value()), units_(units), most_(most) {}

  [[nodiscard]] std::vector<SummaryTable> all() const {
    std::vector<SummaryTable> out;
    for (SummaryTable table : {driven(), efforts(), points(), joints(), members()})
      if (!table.rows.empty()) out.push_back(std::move(table));
    return out;
  }

 private:
  [[nodiscard]] std::string number(double value, std::string_view si, double scale = 0) const {
    const Units::Shown shown = units_.of(si);
    return fmt::format("{:.6g} {}", (is_noise(value, scale) ? 0 : value) * shown.factor, shown.unit);
  }
  // When; of positions one after the other, where.
  [[nodiscard]] std::string at(double t) const {
    const Units::Shown shown = units_.of(run_.over ? run_.over->unit : "s");
    return fmt::format("{:.4g} {}", t * shown.factor, shown.unit);
  }
  // One number where it does not change.
  [[nodiscard]] std::string range(const Range& r, const std::string& si) const {
    const Units::Shown shown = units_.of(si);
    const double scale = std::max(std::abs(r.from), std::abs(r.to));
    const auto text = [&](double value) { return fmt::format("{:.6g}", (is_noise(value, scale) ? 0 : value) * shown.factor); };
    const std::string from = text(r.from), to = text(r.to);
    return from == to ? fmt::format("{} {}", from, shown.unit) : fmt::format("{} to {} {}", from, to, shown.unit);
  }
  // With degrees, where radians are what nobody has chosen.
  [[nodiscard]] std::string range_with_degrees(const Range& r, const std::string& si) const {
    std::string out = range(r, si);
    if (!si.starts_with("rad") || units_.of(si).unit != si || units_.asked()) return out;
    Units degrees;
    (void)degrees.choose("angle", "deg");
    return out + " (" + SummaryTexts(run_, summary_, degrees, most_).range(r, si) + ")";
  }

  [[nodiscard]] SummaryTable driven() const {
    SummaryTable out{"Driven", {"driver", "motion", "rate"}, {}};
    for (const DrivenRange& d : summary_.driven)
      if (!d.value.empty()) out.rows.push_back({d.driver, range_with_degrees(d.value, d.unit), range_with_degrees(d.rate, d.unit + "/s")});
    return out;
  }

  [[nodiscard]] SummaryTable points() const {
    SummaryTable out{"Fastest points", {"point", "speed", "at", "acceleration", "at"}, {}};
    for (const PointPeak& p : std::span(summary_.points).first(most_ == 0 ? summary_.points.size() : std::min(most_, summary_.points.size())))
      out.rows.push_back({p.point + (p.also.empty() ? "" : ", " + join_names(p.also)), number(p.speed, "m/s"), at(p.speed_t),
                          number(p.acceleration, "m/s²"), at(p.acceleration_t)});
    return out;
  }

  [[nodiscard]] SummaryTable efforts() const {
    SummaryTable out{"Efforts", {"driver", "peak", "at", "RMS"}, {}};
    if (rest_) out.head = {"driver", "effort"};
    if (run_.over) out.head = {"to hold", "peak", "at " + run_.over->coordinate};
    const auto scale = [&](const EffortPeak& of) {
      double largest = 0;
      for (const EffortPeak& e : summary_.efforts)
        if (e.unit == of.unit) largest = std::max(largest, std::abs(e.peak));
      return largest;
    };
    for (const EffortPeak& e : summary_.efforts) {
      const bool holds = run_.over && e.driver == run_.over->effort.substr(0, run_.over->effort.rfind('.'));
      out.rows.push_back({holds ? run_.over->coordinate : e.driver, number(e.peak, e.unit, scale(e))});
      if (run_.over) out.rows.back().push_back(at(e.t));
      else if (!rest_) out.rows.back().insert(out.rows.back().end(), {at(e.t), number(e.rms, e.unit, scale(e))});
    }
    return out;
  }

  [[nodiscard]] SummaryTable joints() const {
    SummaryTable out{"Largest forces in joints", {"joint", "force", "at"}, {}};
    if (rest_) out.head.pop_back();
    std::vector<LoadPeak> sorted = summary_.joints;
    if (most_ > 0) std::ranges::stable_sort(sorted, std::ranges::greater{}, &LoadPeak::force);
    if (most_ > 0) sorted.resize(std::min(most_, sorted.size()));
    for (const LoadPeak& joint : sorted) {
      out.rows.push_back({joint.joint, number(joint.force, "N", summary_.load_scale())});
      if (!rest_) out.rows.back().push_back(at(joint.t));
    }
    return out;
  }

  // Where nothing moves, one number and its word; along a motion the most of either, where there is any.
  [[nodiscard]] SummaryTable members() const {
    SummaryTable out{"Members", {"member", "tension", "at", "compression", "at"}, {}};
    if (rest_) out.head = {"member", "force", ""};
    double scale = 0;
    for (const LoadPeak& joint : summary_.joints) scale = std::max(scale, joint.force);
    for (const MemberPeak& m : summary_.members) scale = std::max({scale, std::abs(m.most), std::abs(m.least)});
    for (const MemberPeak& m : summary_.members) {
      const double pulled = is_noise(m.most, scale) ? 0 : std::max(m.most, 0.0), pressed = is_noise(m.least, scale) ? 0 : std::max(-m.least, 0.0);
      if (rest_) {
        out.rows.push_back({m.member, number(pulled + pressed, "N"), pulled > 0 ? "tension" : pressed > 0 ? "compression" : "no force"});
        continue;
      }
      std::vector<std::string>& row = out.rows.emplace_back(std::vector{m.member});
      if (pulled > 0) row.insert(row.end(), {number(pulled, "N"), at(m.most_t)});
      else row.insert(row.end(), {"none", ""});
      if (pressed > 0) row.insert(row.end(), {number(pressed, "N"), at(m.least_t)});
      else row.insert(row.end(), {"none", ""});
    }
    return out;
  }

  const Run& run_;
  const RunSummary& summary_;
  bool rest_;
  const Units& units_;
  std::size_t most_;
};

}  // namespace

std::vector<SummaryTable> summary_tables(const Run& run, const RunSummary& summary, const Units& units, std::size_t most) {
  return SummaryTexts(run, summary, units, most).all();
}

RunSummary in_units(RunSummary summary, const Units& units, std::string_view when) {
  const auto scale = [&](std::string_view si, std::initializer_list<std::reference_wrapper<double>> numbers) {
    const double factor = units.of(si).factor;
    for (double& number : numbers) number *= factor;
  };
  for (DrivenRange& d : summary.driven) {
    scale(d.unit, {d.value.from, d.value.to});
    scale(d.unit + "/s", {d.rate.from, d.rate.to});
    d.unit = units.of(d.unit).unit;
  }
  for (PointPeak& p : summary.points) {
    scale("m/s", {p.speed});
    scale("m/s²", {p.acceleration});
    scale(when, {p.speed_t, p.acceleration_t});
  }
  for (EffortPeak& e : summary.efforts) {
    scale(e.unit, {e.peak, e.rms});
    scale(when, {e.t});
    e.unit = units.of(e.unit).unit;
  }
  for (LoadPeak& joint : summary.joints) scale("N", {joint.force}), scale(when, {joint.t});
  for (MemberPeak& m : summary.members) scale("N", {m.most, m.least}), scale(when, {m.most_t, m.least_t});
  if (summary.energy) scale("J", {summary.energy->start, summary.energy->end});
  if (summary.momentum) {
    scale("kg m/s", {summary.momentum->linear, summary.momentum->linear_drift});
    scale("kg m²/s", {summary.momentum->angular, summary.momentum->angular_drift});
  }
  return summary;
}

}  // namespace jounce
