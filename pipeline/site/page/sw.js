"use strict";
// Saves one build of the page for offline use and never mixes two builds: every file is checked against the checksum
// in this build before it is saved or returned, or, in words/, against the id of the data. A new build waits until the
// player accepts it.

const BUILD = "{{BUILD}}";
const DATA = "{{DATA}}";
const FIRST = {{FIRST}};
const FILES = {{FILES}};
const CACHE = `bee-${BUILD}`;
const ofWord = (name) => /^words\/[a-z]+\.json$/.test(name);

/** The name of a file of the page from its address. */
const nameOf = (url) => new URL(url).pathname.slice(new URL(registration.scope).pathname.length) || "index.html";

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The file of this build has another content on the server, or is not there any more. */
class Outdated extends Error {}

/** Fetch a file of this build; throws `Outdated` if the server has another file. */
async function fetched(name) {
  const response = await fetch(`${name}?v=${BUILD}`, { cache: "no-cache" });
  if (!response.ok) throw new Outdated(`${name}: ${response.status}`);
  const bytes = await response.clone().arrayBuffer();
  const isRight = ofWord(name)
    ? (await response.clone().json()).id === DATA
    : hex(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 32) === FILES[name];
  if (!isRight) throw new Outdated(name);
  // A redirected response cannot be used for a navigation, so the bytes go into a new response.
  const headers = { "Content-Type": response.headers.get("Content-Type") ?? "application/octet-stream" };
  return new Response(bytes, { headers });
}

/** The saved file, or else the fetched file, which is then saved. */
async function file(name) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(name);
  if (kept) return kept;
  const response = await fetched(name);
  await cache.put(name, response.clone()).catch(() => null); // without room, the page still gets the file
  return response;
}

/**
 * Fetch and save `more` files, such as those with the clues of today, and then the files of the page, one after another if
 * they are not saved yet. Report the progress to the pages: how many of these files are saved, and how many in words/.
 */
async function keep(more) {
  const names = [...more, ...Object.keys(FILES).filter((name) => name !== "share.png")]; // which only other sites show
  const tell = async (kept, stopped = false) => {
    const saved = await (await caches.open(CACHE)).keys();
    const words = saved.filter(({ url }) => ofWord(nameOf(url))).length;
    for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage({ kept, of: names.length, words, stopped });
  };
  for (const [at, name] of names.entries()) {
    try {
      await file(name);
    } catch {
      registration.update().catch(() => null);
      return tell(at, true);
    }
    if (at % 32 === 0) await tell(at);
  }
  return tell(names.length);
}

self.addEventListener("install", (event) => event.waitUntil(Promise.all(FIRST.map(file))));

self.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith("bee-") && name !== CACHE) await caches.delete(name);
      await self.clients.claim();
    })(),
  ),
);

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
  if (event.data.keep) event.waitUntil(keep(event.data.keep));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const name = nameOf(url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !(Object.hasOwn(FILES, name) || ofWord(name))) return;
  event.respondWith(
    file(name).catch((error) => {
      if (!(error instanceof Outdated)) return Response.error();
      registration.update().catch(() => null);
      return new Response("", { status: 410 });
    }),
  );
});
