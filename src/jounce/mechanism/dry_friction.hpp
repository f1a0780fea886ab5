// Exact dry friction and stops along a motion: what slides, what is stuck, what touches, and when that changes (docs/theory/friction.md,
// docs/theory/one-sided.md). The plane and space share it.
//
// Between two changes the equations are smooth: friction is constant, or it is the multiplier of an equation that holds a length or an
// angle. A change is a time at which one of the margins reaches zero: the rate of what slides, or what is left of the
// friction that holds; the gap of a stop that is open, or the push of one that is closed.
//
// What slides, sticks or touches is an element: a strut, a bearing, a slide, a stop. Each holds its rate at zero with a tension between two bounds: −amplitude
// and amplitude for friction, −∞ and 0 for a stop, which pushes and does not pull. The mechanism behind it says what the equations with some elements held come
// to; it is seen through the functions that are left open here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "jounce/math/dense.hpp"
#include "jounce/mechanism/ending.hpp"
#include "jounce/mechanism/stepper.hpp"
#include "jounce/results/outcome.hpp"

namespace jounce {

class DryFriction {
 public:
  /// `tolerance` of the integration: rates below it are not told from zero.
  explicit DryFriction(double tolerance);
  virtual ~DryFriction() = default;
  DryFriction(const DryFriction&) = delete;
  DryFriction& operator=(const DryFriction&) = delete;

  /// False: nothing has exact friction and there is no stop, and nothing else here is needed.
  [[nodiscard]] bool any() const { return !elements_.empty(); }

  enum class Status {
    decided,
    fault,      ///< an equation has no value: see fault()
    undecided,  ///< no combination of sticking and sliding agrees with the forces
    passed,     ///< a stop is passed at the start
    jammed,     ///< a stop is hit by what cannot give way
  };
  /// Decides what slides, what sticks and what touches at the start, after the impacts that there are.
  [[nodiscard]] Status start(double t, std::span<double> q, std::span<double> v);
  [[nodiscard]] const std::vector<Event>& impacts_at_start() const { return impacts_at_start_; }
  /// The first change within the last step of the stepper.
  [[nodiscard]] std::optional<double> first_change(Stepper& stepper);
  /// Decides anew after first_change; adds what happened to the events. Rates that are zero become so exactly.
  [[nodiscard]] Status change(double t, std::span<double> q, std::span<double> v, std::vector<Event>& events);
  [[nodiscard]] const Fault& fault() const { return *fault_; }

  /// How a run ends that comes to this, at t; nothing where it goes on.
  [[nodiscard]] std::optional<Ending> ending(Status status, double t) const;
  /// After a change: how a run of this length ends that changes without end.
  [[nodiscard]] std::optional<Ending> chattering(double t, double length);

 protected:
  struct Element {
    std::string text, name;  ///< "force 'coil'" and "coil"
    double amplitude = 0;    ///< of friction that grows with a reaction: as the mechanism has last said
    double unit = 1;         ///< of its rates: a length, or 1 for an angle
    double inertia = 1;      ///< the smallest that it can move

    bool at_rest = false;    ///< its rate is zero and stays so
    bool locked = false;     ///< by an equation of its own; at rest without: the other equations hold it
    double direction = 0;
    double fastest = 0;      ///< so far
    double friction = 0, acceleration = 0;  ///< as the equations at hand give them

    bool one_sided = false;  ///< a stop: at rest is closed, held by a push
    bool angle = false;      ///< of a stop: what it bounds
    double restitution = 0;
    double gap = 0;          ///< as measured last
    Where where{};
  };
  /// Those that follow are known by their places in this list.
  void add(Element element) { elements_.push_back(std::move(element)); }
  [[nodiscard]] std::span<const Element> elements() const { return elements_; }

  /// Of friction that grows with a reaction: to be said in `hold` and in `look`.
  void set_amplitude(std::size_t element, double amplitude) { elements_[element].amplitude = amplitude; }

  // ---- the mechanism behind it ----

  /// The rate of every element, and the gaps of those that are stops.
  virtual void measure(double t, std::span<const double> q, std::span<const double> v, std::span<double> rates, std::span<double> gaps) = 0;
  /// The largest of all rates, in mechanism sizes and radians per second.
  [[nodiscard]] virtual double fastest(std::span<const double> v) const = 0;
  /// How many equations depend on others when these elements are held.
  [[nodiscard]] virtual int surplus(std::span<const int> held, double t, std::span<const double> q) const = 0;
  /// Puts a position back on the equations of the mechanism itself; how many of these depend on others.
  [[nodiscard]] virtual std::optional<Fault> settle_position(double t, std::span<double> q, int& surplus) = 0;
  /// Closes these stops exactly, with those equations.
  [[nodiscard]] virtual std::optional<Fault> close(std::span<const int> stops, double t, std::span<double> q) = 0;
  /// The same of rates, with these elements held.
  [[nodiscard]] virtual std::optional<Fault> settle_rates(std::span<const int> held, double t, std::span<const double> q, std::span<double> v) = 0;
  struct Consequences {
    std::vector<double> carried;        ///< of every element that is held: what its friction has to be
    std::vector<double> accelerations;  ///< of every element
    double spread = 0;                  ///< size of all accelerations, mechanism sizes or radians per second squared
    double effort = 0;                  ///< size of all forces times the length of the mechanism, and of all moments
  };
  /// What follows when these are held and the others have friction in these directions, which stay in force until somebody asks anew.
  [[nodiscard]] virtual std::optional<Fault> hold(std::span<const int> held, std::span<const double> directions, double t, std::span<const double> q,
                                                  std::span<const double> v, Consequences& out) = 0;
  /// How the rates change by one unit of impulse that opens each of these stops, a column for each: the equations of the mechanism itself hold. And by
  /// how much that opens the stop itself if no equation held anything.
  [[nodiscard]] virtual std::optional<Fault> respond(std::span<const int> stops, double t, std::span<const double> q, Matrix& changes,
                                                     std::vector<double>& unheld) = 0;
  /// What is in force has been decided on.
  virtual void decided() {}
  /// Rates, gaps, and what friction and stops carry where they hold, at a time of the last step. False where an equation has no value: the run ends there by itself.
  [[nodiscard]] virtual bool look(Stepper& stepper, double t, std::span<double> rates, std::span<double> gaps, std::span<double> carried) = 0;
  /// The position of that look.
  [[nodiscard]] virtual std::span<const double> looked_at() const = 0;

 private:
  /// Of the mechanism's size: gaps are not known better.
  static constexpr double kNoGap = 1e-14;

  struct Margin {
    std::size_t element = 0;
    double sign = 1;  ///< of the rate, or of the friction
    double allowed = 0;
  };

  /// What an impact did at one stop.
  struct Blow {
    std::size_t element = 0;
    double before = 0, impulse = 0;
  };
  [[nodiscard]] Status meet(double t, std::span<double> q, std::span<double> v, const std::vector<Element>& before, std::vector<Event>& events);
  [[nodiscard]] Status strike(double t, std::span<const double> q, std::span<double> v, std::vector<Blow>& blows);
  struct Responses {
    Matrix changes, felt;  ///< of rates, and of the gaps that touch: a column for an impulse at each of these
    std::vector<double> unheld;
  };
  [[nodiscard]] std::optional<Fault> respond_all(const std::vector<int>& touching, double t, std::span<const double> q, Responses& out);
  [[nodiscard]] Status strike_together(const std::vector<int>& struck, const std::vector<int>& touching, const Responses& responses, bool plastic,
                                       std::span<double> v, std::vector<Blow>& blows);
  [[nodiscard]] const Element* passed_at_start() const;
  [[nodiscard]] double pull_allowed(const Element& element) const;
  [[nodiscard]] bool touches(const Element& element) const;
  /// Rates up to this are zero.
  [[nodiscard]] double no_rate(const Element& element, double fastest) const;
  void see_what_rubs(double fastest, bool struck);
  [[nodiscard]] bool short_flights(double t, std::span<double> q, std::span<double> v, std::vector<Event>& events);
  void tell(double t, const std::vector<Element>& before, const std::vector<Blow>& blows, std::vector<Event>& events) const;

  [[nodiscard]] Status decide(double t, std::span<double> q, std::span<double> v);
  [[nodiscard]] bool settle(double t, std::span<double> q, std::span<double> v);
  [[nodiscard]] bool evaluate(double t, std::span<const double> q, std::span<const double> v);
  [[nodiscard]] std::vector<int> independent(const std::vector<int>& elements, double t, std::span<const double> q) const;
  [[nodiscard]] std::optional<double> contradiction(std::size_t element, double t, std::span<const double> q) const;
  [[nodiscard]] bool depends(std::size_t element, double t, std::span<const double> q) const;
  void stop(double t, std::span<double> q, std::span<double> v);
  void finish(double t, std::span<const double> q);
  void set_margins();

  bool margins_at(Stepper& stepper, double t, std::span<double> out);
  /// How far below zero a margin is not yet a change.
  [[nodiscard]] double noise(const Margin& margin) const;
  [[nodiscard]] double crossing(Stepper& stepper, std::size_t margin, double from, double to);
  [[nodiscard]] std::optional<double> dip(Stepper& stepper, std::size_t margin, double from, double middle, double to);
  [[nodiscard]] double margin_at(Stepper& stepper, double t, std::size_t margin);

  double tolerance_;
  double slack_;          // part of the friction that it may be exceeded by
  int base_surplus_ = 0;  // redundant equations of the mechanism itself
  std::vector<Element> elements_;
  std::vector<Margin> margins_;
  std::optional<std::size_t> changing_;  // the element of the last change
  Consequences found_;
  std::vector<double> rates_, gaps_, carried_, scratch_;
  std::vector<Event> impacts_at_start_;
  std::string in_the_way_name_, in_the_way_;  // the stop that ends a run
  Where in_the_way_where_;
  std::vector<double> changes_;  // times
  std::optional<Fault> fault_;
};

}  // namespace jounce
