#include "door.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <vector>

#include <jounce/base/suggest.hpp>

namespace jounce::python {

// ---- long calls ---------------------------------------------------------------------------------------------------------

bool LongCall::ended() {
  if (ended_) return true;
  if (Clock::now() < ask_next_.load()) return false;
  const std::unique_lock alone(guard_, std::try_to_lock);
  if (!alone) return false;  // another thread is asking
  const nb::gil_scoped_acquire hold;
  ask_next_ = Clock::now() + kUnasked;
  if (!raised_ && PyErr_CheckSignals() != 0) raised_.emplace(), ended_ = true;
  return ended_;
}

void LongCall::tell(double reached) {
  if (ended_ || Clock::now() < tell_next_) return;
  const std::unique_lock alone(guard_, std::try_to_lock);
  if (!alone) return;
  const nb::gil_scoped_acquire hold;
  tell_next_ = Clock::now() + kUntold;
  try {
    progress_(reached);
  } catch (nb::python_error& error) {
    if (!raised_) raised_.emplace(std::move(error));
    ended_ = true;
  }
}

void LongCall::raise_what_came(const char* name, const nb::object& computed) {
  if (!raised_) return;
  if (name != nullptr && !computed.is_none()) nb::setattr(raised_->value(), name, computed);
  nb::python_error error = *std::move(raised_);
  raised_.reset();
  throw error;
}

// ---- problems -----------------------------------------------------------------------------------------------------------

namespace {

constexpr std::array<const char*, 3> kSeverities{"error", "warning", "note"};

// What is not Unicode in a file's name or text becomes replacement characters.
nb::object text_to_python(const std::string& text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

[[noreturn]] void raise(const char* kind, const nb::object& argument) {
  const nb::object type = nb::module_::import_("jounce.errors").attr(kind);
  const nb::object error = type(argument);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw nb::python_error();
}

}  // namespace

nb::list problems_to_python(const Problems& problems) {
  nb::list out;
  for (const Problem& p : problems)
    out.append(nb::make_tuple(text_to_python(p.file), p.where.line, p.where.column, kSeverities[static_cast<std::size_t>(p.severity)],
                              text_to_python(p.sentence), text_to_python(p.hint)));
  return out;
}

Problems problems_of(nb::handle list) {
  Problems out;
  for (const nb::handle item : list) {
    Problem p;
    p.file = nb::cast<std::string>(item[0]);
    p.where = {nb::cast<int>(item[1]), nb::cast<int>(item[2])};
    const auto severity = nb::cast<std::string>(item[3]);
    p.severity = severity == "error" ? Severity::error : severity == "warning" ? Severity::warning : Severity::note;
    p.sentence = nb::cast<std::string>(item[4]);
    p.hint = nb::cast<std::string>(item[5]);
    out.push_back(std::move(p));
  }
  return out;
}

void raise_model_error(const Problems& problems) { raise("ModelError", problems_to_python(problems)); }

void raise_value_error(const Problems& problems) {
  std::string text;
  for (const Problem& p : problems) {
    if (p.severity != Severity::error) continue;
    text += (text.empty() ? "" : "\n") + p.sentence + (p.hint.empty() ? "" : " (" + p.hint + ")");
  }
  throw nb::value_error(text.c_str());
}

nb::list events_to_python(const std::vector<Event>& events) {
  nb::list out;
  for (const Event& e : events) out.append(nb::make_tuple(e.t, e.kind, text_to_python(e.sentence), nb::tuple(nb::cast(e.elements)), e.direction, e.impulse));
  return out;
}

// ---- JSON ---------------------------------------------------------------------------------------------------------------

nb::object to_python(const Json& json) {
  switch (json.type()) {
    case Json::value_t::object: {
      nb::dict out;
      for (const auto& [key, value] : json.items()) out[text_to_python(key)] = to_python(value);
      return out;
    }
    case Json::value_t::array: {
      nb::list out;
      for (const Json& value : json) out.append(to_python(value));
      return out;
    }
    case Json::value_t::string: return text_to_python(json.get_ref<const std::string&>());
    case Json::value_t::boolean: return nb::bool_(json.get<bool>());
    case Json::value_t::number_integer: return nb::int_(json.get<std::int64_t>());
    case Json::value_t::number_unsigned: return nb::int_(json.get<std::uint64_t>());
    case Json::value_t::number_float: {
      // what has no value is null in JSON
      const auto value = json.get<double>();
      return std::isfinite(value) ? nb::object(nb::float_(value)) : nb::none();
    }
    default: return nb::none();
  }
}

nb::object owned(std::vector<double> numbers) {
  auto* kept = new std::vector<double>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

// ---- words --------------------------------------------------------------------------------------------------------------

namespace {

template <class Choices>
auto named(std::string_view what, std::string_view name, const Choices& choices) {
  std::vector<std::string> words;
  for (const auto choice : choices) {
    words.emplace_back(word(choice));
    if (words.back() == name) return choice;
  }
  const auto guess = nearest_name(name, words);
  throw nb::value_error((std::string(what) + " '" + std::string(name) + "': expected one of " + join_names(words) +
                         (guess ? " (did you mean '" + *guess + "'?)" : ""))
                            .c_str());
}

}  // namespace

Analysis analysis_named(std::string_view name) { return named("analysis", name, kAnalyses); }
Method method_named(std::string_view name) { return named("method", name, kMethods); }
Formulation formulation_named(std::string_view name) {
  std::vector<Formulation> choices{Formulation::automatic};
  choices.insert(choices.end(), kFormulations.begin(), kFormulations.end());
  return named("formulation", name, choices);
}

LinkageFormulation linkage_formulation_named(std::string_view name) { return named("formulation", name, kLinkageFormulations); }

nb::tuple state_to_python(const MotionState& state) { return nb::make_tuple(state.t, owned(state.q), owned(state.v)); }

MotionState state_of(nb::handle tuple) {
  const auto numbers = [](nb::handle from) {
    const auto view = nb::cast<nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(from);
    return std::vector<double>(view.data(), view.data() + view.size());
  };
  return {nb::cast<double>(tuple[0]), numbers(tuple[1]), numbers(tuple[2])};
}

}  // namespace jounce::python
