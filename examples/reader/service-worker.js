// The service worker of the built app. vite-service-worker.ts puts two constants before this text: `version`, a digest of
// all files, and `files`, the path and the integrity of each file.
//
// A version of the app has a cache of its own, and is served from that cache only, so that two versions never mix.
// Requests for other paths, such as /graphql and /offline/, are not handled here: the browser sends them as usual.

const cachePrefix = 'lectern-reader-app-';
const cacheName = cachePrefix + version;
const { scope } = self.registration;
const paths = new Set(files.map(({ path }) => new URL(path, scope).pathname));
const pagePath = new URL('index.html', scope).pathname;

/** Stores all files of this version. Fails if one of them is already that of a later version: the browser tries again later. */
async function install() {
  const cache = await caches.open(cacheName);
  await cache.addAll(
    files.map(({ path, integrity }) => new Request(new URL(path, scope), { integrity, cache: 'reload' })),
  );
}

async function removeOtherVersions() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(cachePrefix) && name !== cacheName).map((name) => caches.delete(name)),
  );
}

/** Returns the stored file, or that of the network if the browser has removed the stored one. */
async function respond(path, request) {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(removeOtherVersions()));
// The page sends this when the user wants the new version. Without it, the new version waits until all tabs are closed.
self.addEventListener('message', ({ data }) => data === 'activate' && self.skipWaiting());
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (paths.has(pathname)) event.respondWith(respond(pathname, request));
  // Every address of the app is the same page, and its router shows the screen.
  else if (request.mode === 'navigate') event.respondWith(respond(pagePath, request));
});
