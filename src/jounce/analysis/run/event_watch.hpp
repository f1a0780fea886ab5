// Events along a run: crossings of zero by what follows from the columns of a row, looked for over every step and located to
// rounding. Driven and forward runs use it alike: it asks them for rows at times of the step that was made last.
//
// A value counts as zero while it is no more than the rounding of what it is made of. So an event that starts at zero counts
// only when it leaves and comes back, and what rests at zero does not cross it with every bit of noise.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/analysis/run/row_expression.hpp"
#include "jounce/analysis/run/row_rounding.hpp"
#include "jounce/base/problem.hpp"
#include "jounce/mechanism/analysis.hpp"
#include "jounce/mechanism/watched_events.hpp"
#include "jounce/results/column.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

class EventWatch {
 public:
  /// What they are watched for in.
  struct Watching {
    RowRounding::Scales scales;
    Analysis analysis{};
  };
  /// The events must outlive it; those of what the rows do not have (an effort, in kinematics) are not watched.
  EventWatch(const std::vector<WatchedEvent>& events, const std::vector<Column>& columns, const Watching& along);

  [[nodiscard]] bool empty() const { return watched_.empty(); }
  /// A warning for each event that is not watched.
  [[nodiscard]] Problems not_watched() const;

  /// Something that ends the run.
  struct Ended {
    double t = 0;
    std::string event, sentence;
    bool stop = true;  ///< it asks for it; otherwise it has no value
    Where where{};     ///< of what has no value
  };
  [[nodiscard]] std::optional<Ended> begin(double t, const RowAt& row_at);
  /// From where it looked last up to `to`, in so many parts; what is found is added in the order of time. `row_at` may be asked
  /// for any time between.
  [[nodiscard]] std::optional<Ended> look(double to, int parts, const RowAt& row_at, std::vector<Event>& out);

 private:
  struct Watched {
    const WatchedEvent* event;
    RowExpression when;
    int sign = 0;                   // of the last value that was not zero; 0: none yet
    double before = 0, value = 0;   // at the last two samples
    bool zero = true;               // the last value counts as zero
    double rounding = 0;            // of the last value
  };
  struct Missing {
    const WatchedEvent* event;
    std::string column;
  };
  struct Crossing {
    double t;
    const Watched* of;
  };

  [[nodiscard]] std::optional<Ended> sample(double t, const RowAt& row_at, bool& known);
  [[nodiscard]] double rounding_of(const Watched& of);
  [[nodiscard]] double located(Watched& of, bool was_zero, double from, double to, const RowAt& row_at);
  [[nodiscard]] std::optional<Ended> tell(std::vector<Event>& out);
  [[nodiscard]] static Ended beyond(const WatchedEvent& event, double t);

  Analysis analysis_;
  std::vector<Watched> watched_;
  std::vector<Missing> missing_;
  std::vector<Crossing> found_;  // since the last sample
  std::vector<double> row_;
  RowRounding rounding_;
  double t_ = 0;  // looked at up to here
};

/// Nothing where there is nothing to watch, or nobody wants it. `columns`: gives those of the rows, where they are needed.
template <class Columns>
[[nodiscard]] std::optional<EventWatch> watch_for(bool wanted, const std::vector<WatchedEvent>& events, const Columns& columns,
                                                  const EventWatch::Watching& along) {
  return !wanted || events.empty() ? std::nullopt : std::optional<EventWatch>(std::in_place, events, columns(), along);
}

}  // namespace jounce
