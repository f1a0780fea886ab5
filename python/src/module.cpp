// The module jounce._engine: the C++ face of Jounce, as plain as it is there. What people use is the package around it.
#include <nanobind/stl/string.h>

#include <stdexcept>
#include <typeinfo>
#include <string>

#include "door.hpp"

namespace {

// A bug of ours ends the call, not the interpreter.
void throw_it(const jounce::BrokenInvariant& broken) {
  throw std::runtime_error(std::string("a bug in Jounce, please report it: ") + broken.meaning + " (" + broken.condition + ", " + broken.file + ":" +
                           std::to_string(broken.line) + ")");
}

}  // namespace

NB_MODULE(_engine, m) {
  using namespace jounce::python;
  m.doc() = "The engine of Jounce. Use the package jounce.";
  if (const std::string missing = jounce::missing_instructions(); !missing.empty()) {
    PyErr_SetString(PyExc_ImportError, ("this build of Jounce needs a processor with " + missing).c_str());
    throw nb::python_error();
  }
  jounce::set_broken_invariant_handler(throw_it);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_cast&) {  // of nb::cast
      PyErr_SetString(PyExc_TypeError, "expected another type: numbers, names, and rows or tuples of them");
    }
  });
  m.attr("version") = std::string(jounce::version());
  bind_mechanism(m);
  bind_run(m);
  bind_simulation(m);
  bind_tree(m);
  bind_sweep(m);
}
