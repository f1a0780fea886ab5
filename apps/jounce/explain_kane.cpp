#include "explain_kane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "json.hpp"
#include "terminal.hpp"
#include "timed_run.hpp"

namespace jounce::app {
namespace {

constexpr std::size_t kLineOfKane = 100;         // characters in a line
constexpr std::size_t kNumberOfKane = 14;        // of a number with seven digits, and a blank
constexpr std::size_t kLargestShown = 24;  // coordinates or bodies: a person reads no larger matrix

using Names = std::vector<std::string>;

// ---- tables ------------------------------------------------------------------------------------------------------------------------

/// Numbers under the names of bodies or coordinates, `each` columns for a name, as many side by side as fit on a page.
struct Grid {
  const Names& rows;
  const Names& names;
  std::size_t each = 1;
  std::size_t head = 8;  ///< width of the names of rows

  template <class At>
  [[nodiscard]] std::string text(At&& at) const {
    std::size_t width = kNumberOfKane;
    for (const std::string& name : names) width = std::max(width, (name.size() + 1) / each + 1);
    const std::size_t per_page = std::max<std::size_t>(1, (kLineOfKane - std::min(kLineOfKane, head + 2)) / (width * each));
    std::string out;
    for (std::size_t first = 0; first < names.size(); first += per_page) {
      const std::size_t end = std::min(names.size(), first + per_page);
      out += fmt::format("  {:<{}}", "", head);
      for (std::size_t n = first; n < end; ++n) out += fmt::format("{:>{}}", names[n], width * each);
      if (each > 1) out += fmt::format("\n  {:<{}}", "", head);
      for (std::size_t n = first; n < end && each > 1; ++n) out += fmt::format("{:>{}}{:>{}}", "x", width, "y", width);
      out += '\n';
      for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = fmt::format("  {:<{}}", rows[r], head);
        for (std::size_t c = first * each; c < end * each; ++c) {
          const std::optional<double> value = at(r, c);
          line += value ? fmt::format("{:>{}.7g}", *value + 0.0, width) : std::string(width, ' ');  // no "-0"
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
      }
    }
    return out;
  }
  [[nodiscard]] std::string text(const DenseMatrix& a) const {
    return text([&](std::size_t r, std::size_t c) { return std::optional(a.at(static_cast<int>(r), static_cast<int>(c))); });
  }
  /// Columns are these lists.
  [[nodiscard]] std::string text(std::initializer_list<const std::vector<double>*> lists) const {
    return text([&](std::size_t r, std::size_t c) { return std::optional((*lists.begin()[c])[r]); });
  }
};

std::string title(std::string_view name, std::string_view meaning) {
  return fmt::format("\n{}  {}\n", toned(Tone::strong, name), meaning);
}

// ---- the arrays --------------------------------------------------------------------------------------------------------------------

struct Shown {
  const KaneExplanation& e;
  const KaneArrays& a;
  Names coordinates;
  std::size_t head = 8;

  explicit Shown(const KaneExplanation& of) : e(of), a(of.arrays) {
    for (const KaneCoordinate& c : a.coordinates) coordinates.push_back(c.name), head = std::max(head, c.name.size() + 1);
    for (const std::string& name : a.closures) head = std::max(head, name.size() + 1);
    for (const std::string& name : a.bodies) head = std::max(head, a.B.rows > 0 ? name.size() + 1 : 0);
    for (const KanePinned& body : a.pinned)
      for (const KanePinned::Child& child : body.children) head = std::max(head, name(child.body).size() + 5);
  }
  [[nodiscard]] const std::string& name(int body) const { return a.bodies[static_cast<std::size_t>(body - 1)]; }

  [[nodiscard]] std::string by_body(const Names& rows, const DenseMatrix& matrix, std::size_t each) const {
    return Grid{rows, a.bodies, each, head}.text(matrix);
  }
};

std::string coordinates_text(const Shown& s) {
  std::string out = "\ncoordinates\n";
  for (std::size_t i = 0; i < s.a.coordinates.size(); ++i) {
    const KaneCoordinate& c = s.a.coordinates[i];
    const auto& [body, carrier] = s.e.moved[i];
    out += fmt::format("  {:<{}}{} '{}' {} {}\n", c.name, s.head, c.turns ? "turns" : "slides", body, c.turns ? "against" : "along",
                       carrier == "ground" ? "the ground" : "'" + carrier + "'");
  }
  static const Names kHeads{"q", "q'"};
  return out + Grid{s.coordinates, kHeads, 1, s.head}.text({&s.a.q, &s.a.qd});
}

// S_k0, S_r and S_p below the bodies they belong to; nothing below bodies that no pin carries.
std::string pinned_text(const Shown& s) {
  if (s.a.pinned.empty()) return {};
  Names rows{"S_k0", "", "S_r"};
  std::vector<std::vector<std::optional<double>>> values(3, std::vector<std::optional<double>>(2 * s.a.bodies.size()));
  for (const KanePinned& body : s.a.pinned) {
    const std::size_t x = 2 * static_cast<std::size_t>(body.body - 1);
    const double c = std::cos(body.theta), sine = std::sin(body.theta);
    values[0][x] = c, values[0][x + 1] = sine;
    values[1][x] = -sine, values[1][x + 1] = c;
    values[2][x] = -body.r.y, values[2][x + 1] = body.r.x;
    for (const KanePinned::Child& child : body.children) {
      rows.push_back("S_p " + s.name(child.body));
      values.emplace_back(2 * s.a.bodies.size());
      values.back()[x] = -child.p.y, values.back()[x + 1] = child.p.x;
    }
  }
  return title("S_k0, S_r, S_p", "of pinned bodies: their axes in ground axes; [-r_y r_x] in body axes, from the pin") +
         "to the centre of mass; [-p_y p_x], from the pin to that of the body named\n" +
         Grid{rows, s.a.bodies, 2, s.head}.text([&](std::size_t r, std::size_t c) { return values[r][c]; });
}

std::string forces_text(const Shown& s) {
  static const Names kForce{"F"}, kMoment{"M_ext"};
  const auto of = [](const std::vector<double>& list) {
    return [&list](std::size_t, std::size_t c) { return std::optional(list[c]); };
  };
  return title("F, M_ext", "forces at the centres of mass and moments about them") + Grid{kForce, s.a.bodies, 2, s.head}.text(of(s.a.F)) +
         Grid{kMoment, s.a.bodies, 1, s.head}.text(of(s.a.M_ext));
}

std::string closures_text(const Shown& s) {
  if (s.a.closures.empty()) return {};
  static const Names kHeads{"k", "lambda"};
  std::string out = title("K, k, lambda", "K q'' = k of what carries no body:");
  for (const KaneExplanation::Cut& cut : s.e.cut) out += fmt::format("  {:<{}}{} {}\n", cut.name, s.head, cut.type, cut.group);
  if (s.a.rank < s.a.K.rows)
    out += fmt::format("K has {} rows and rank {}: of the lambda that do, the shortest is shown.\n", s.a.K.rows, s.a.rank);
  return out + Grid{s.a.closures, s.coordinates, 1, s.head}.text(s.a.K) + Grid{s.a.closures, kHeads, 1, s.head}.text({&s.a.k, &s.a.lambda});
}

std::string blocks_text(const Shown& s) {
  if (s.a.B.rows == 0) return {};
  return title("B", "of pinned bodies, V_pd = W_pd B: velocities [v] = ωᵀ B") + s.by_body(s.a.bodies, s.a.B, 2) +
         title("B'", "A1 = W_pd B' m: accelerations [a] = ωᵀ B' + αᵀ B") + s.by_body(s.a.bodies, s.a.B_prime, 2);
}

std::string inertia_text(const Shown& s) {
  static const Names kForce{"F_in"}, kMoment{"M_in"};
  const auto of = [](const std::vector<double>& list) {
    return [&list](std::size_t, std::size_t c) { return std::optional(list[c]); };
  };
  return title("F_in, M_in", fmt::format("inertia forces -(A1ᵀ q' + A2ᵀ q'') and moments -A3ᵀ q'':\nV_pd (F + F_in) + W_pd (M_ext + M_in) = {}",
                                         s.a.closures.empty() ? "0" : "Kᵀ lambda")) +
         Grid{kForce, s.a.bodies, 2, s.head}.text(of(s.a.F_in)) + Grid{kMoment, s.a.bodies, 1, s.head}.text(of(s.a.M_in));
}

std::string accelerations_text(const Shown& s) {
  static const Names kHeads{"x''", "y''", "phi''"};
  return "\naccelerations of the centres of mass\n" + Grid{s.a.bodies, kHeads, 1, s.head}.text([&](std::size_t r, std::size_t c) {
           return std::optional(s.a.accelerations[3 * r + c]);
         });
}

std::string text(const Mechanism& mechanism, const KaneExplanation& e) {
  const KaneArrays& a = e.arrays;
  std::string out = fmt::format("{} at t = {:.12g} s, by Kane's method\n", toned(Tone::strong, mechanism.name()), e.t);
  if (!e.driven && e.t > 0) out += "The mechanism is where forward dynamics has brought it.\n";
  if (a.coordinates.empty()) return out + "Nothing can move: there is no coordinate.\n";
  if (std::max(a.coordinates.size(), a.bodies.size()) > kLargestShown)
    return out + fmt::format("{} coordinates, {} bodies: with --json\n", a.coordinates.size(), a.bodies.size());
  const Shown s(e);
  static const Names kHeads{"f_ext", "f", "q''"};
  out += coordinates_text(s) + pinned_text(s);
  out += title("W_pd", "partial angular velocities, ∂ω/∂q'") + s.by_body(s.coordinates, a.Wpd, 1);
  out += title("V_pd", "partial velocities of the centres of mass, ∂v/∂q'") + s.by_body(s.coordinates, a.Vpd, 2) + blocks_text(s);
  out += title("A1", "= V_pd' m, the rate of V_pd times the masses (of pinned bodies W_pd B' m)") + s.by_body(s.coordinates, a.A1, 2);
  out += title("A2", "= V_pd m") + s.by_body(s.coordinates, a.A2, 2);
  out += title("A3", "= W_pd I") + s.by_body(s.coordinates, a.A3, 1);
  out += forces_text(s);
  out += title("M", "= V_pd A2ᵀ + W_pd A3ᵀ") + Grid{s.coordinates, s.coordinates, 1, s.head}.text(a.M);
  out += closures_text(s);
  const char* law = a.closures.empty() ? "M q'' = f" : "M q'' + Kᵀ lambda = f";
  out += title("f", fmt::format("= f_ext - V_pd A1ᵀ q',  f_ext = V_pd F + W_pd M_ext,  {}", law)) +
         Grid{s.coordinates, kHeads, 1, s.head}.text({&a.f_ext, &a.f, &a.qdd});
  return out + accelerations_text(s) + inertia_text(s);
}

}  // namespace

int explain_by_kane(const ExplainOptions& options, const Mechanism& mechanism, double at, Problems problems) {
  const KaneExplainResult result = explain_kane(mechanism, at);
  append(problems, result.problems);
  print_problems(problems, options.quiet);
  if (!result.explanation && problems.empty()) complain(result.outcome.sentence);
  if (options.json) print_json(explain_json(mechanism, at, result, problems));
  else if (result.explanation) print(text(mechanism, *result.explanation));
  return exit_code(result.outcome.kind);
}

}  // namespace jounce::app
