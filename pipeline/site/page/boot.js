"use strict";
// Loads everything else after the style sheet, so that the page appears first on a slow connection.

const build = document.documentElement.dataset.build;

for (const name of "bee days shelf parts game sheets hints answers card search practice start archive app".split(" ")) {
  const script = document.createElement("script");
  script.src = `${name}.js?v=${build}`;
  script.async = false; // in this order
  document.head.append(script);
}
document.head.append(
  Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `words.json?v=${build}` }),
);
