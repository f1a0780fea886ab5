// Prints one line for each test and one for all of them, with the name of the package that is tested.

const name = process.env.npm_package_name?.replace("jounce-", "") ?? "tests";
const counted = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

export default async function* reporter(events) {
  const start = Date.now();
  let passed = 0;
  let skipped = 0;
  let failed = 0;
  for await (const { type, data } of events) {
    // a whole file is no test
    const named = data?.name !== undefined && !data.name.endsWith(".mjs");
    if (type === "test:pass" && named) {
      const skips = data.skip !== undefined && data.skip !== false;
      if (skips) skipped += 1;
      else passed += 1;
      yield `  ${skips ? "skipped" : "ok     "} ${data.name} (${(data.details.duration_ms / 1000).toFixed(1)} s)\n`;
    } else if (type === "test:fail") {
      const error = data.details.error;
      if (named || error?.failureType !== "subtestsFailed") failed += 1;
      if (named) yield `  FAILED  ${data.name}\n          ${String(error?.cause?.stack ?? error?.cause ?? error).replaceAll("\n", "\n          ")}\n`;
    } else if (type === "test:diagnostic" && !counted.test(data.message)) yield `          ${data.message}\n`;
    else if (type === "test:stderr") yield data.message;
  }
  yield `${name}: ${passed} tests passed, ${failed} failed, ${skipped} skipped in ${((Date.now() - start) / 1000).toFixed(0)} s\n`;
}
