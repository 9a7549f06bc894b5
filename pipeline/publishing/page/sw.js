"use strict";
// Saves one build of the page for offline use and never mixes two builds: every file is checked against the checksum
// in this build before it is saved or returned. A new build waits until the player accepts it.

const BUILD = "{{BUILD}}";
const FIRST = {{FIRST}};
const FILES = {{FILES}};
const CACHE = `bee-${BUILD}`;

const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Fetch a file of this build; throws if the server has another file. */
async function fetched(name) {
  const response = await fetch(`${name}?v=${BUILD}`, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const bytes = await response.clone().arrayBuffer();
  if (hex(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 32) !== FILES[name]) throw new Error(`${name} is from another release`);
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
  await cache.put(name, response.clone());
  return response;
}

/** Fetch and save the files that are not saved yet, one after another, and report the progress to the pages. */
async function keepAll() {
  const names = Object.keys(FILES);
  const tell = async (kept) => {
    for (const page of await self.clients.matchAll({ includeUncontrolled: true })) page.postMessage({ kept, of: names.length });
  };
  for (const [at, name] of names.entries()) {
    try {
      await file(name);
    } catch {
      return registration.update().catch(() => null);
    }
    if (at % 8 === 0) await tell(at);
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
  if (event.data === "keep all") event.waitUntil(keepAll());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const name = url.pathname.slice(new URL(registration.scope).pathname.length) || "index.html";
  if (event.request.method !== "GET" || url.origin !== location.origin || !Object.hasOwn(FILES, name)) return;
  event.respondWith(file(name).catch(() => Response.error()));
});
