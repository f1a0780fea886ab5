// jounce studio: the page with a model in it, as a file and as a folder. What the page then does is tested in a browser (studio/tests).
#include "cli_test.hpp"

using namespace jounce;

TEST_CASE("a studio page holds its model, its engine and the pages of reports, and none of its marks") {
  const Folder here;
  // oracle: the marks of the template (studio/studio.html), the rules of HTML for what ends a script; a name that would end the element which carries it
  here.write("four <b> bar.toml", "jounce = 1\nname = \"</script><b>\"\n[bodies.a]\npoints = { P = [0, 0] }\n");
  const Ran ran = here.jounce("studio 'four <b> bar.toml' -o page.html");
  CHECK_MESSAGE(ran.code == 0, ran.err);
  const std::string page = here.read("page.html");
  CHECK(page.find("__JOUNCE_MODEL__\"</") == page.npos);
  CHECK(page.find("__JOUNCE_ENGINE__\"</") == page.npos);
  CHECK(page.find("__JOUNCE_REPORT_PLANE__\"</") == page.npos);
  CHECK(page.find("</script><b>") == page.npos);
  CHECK(page.find("\\u003c/script\\u003e\\u003cb\\u003e") != page.npos);
  CHECK(page.find("connect-src 'none'") != page.npos);
}

TEST_CASE("a studio for a web server has its engine beside the page, which may ask its own server for it and nobody else") {
  const Folder here;
  CHECK(here.jounce("studio -o served/").code == 0);
  CHECK(here.read("served/index.html").find("connect-src 'self'") != std::string::npos);
  CHECK(here.read("served/index.html").find("id=\"piece-engine\" data-file=\"engine.wasm.gz\"></script>") != std::string::npos);
  CHECK(here.read("served/engine.wasm.gz").starts_with("\x1f\x8b"));
}

TEST_CASE("a studio shows a model that is wrong, and refuses one that is not there and an output that is no page") {
  const Folder here;
  here.write("wrong.toml", "jounce = 1\n[bodies.a\n");
  CHECK(here.jounce("studio wrong.toml -o wrong.html").code == 0);
  const Ran missing = here.jounce("studio missing.toml");
  CHECK(missing.code == 2);
  CHECK(missing.err.find("missing.toml") != std::string::npos);
  CHECK(here.jounce("studio -o page.png").code == 2);
}
