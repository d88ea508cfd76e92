// The service worker of the built app. vite-service-worker.ts puts two constants before this text:
// `version`, a digest of all files, and `files`, the path and the integrity of each file.
//
// Each version of the app has its own cache and is served from this cache, so that the files of two
// versions never mix. Requests of the app for other paths, such as /graphql and /offline/, are not
// handled here: the browser sends them as usual.

const cachePrefix = 'lectern-reader-app-';
const cacheName = cachePrefix + version;
const { scope } = self.registration;
const paths = new Set(files.map(({ path }) => new URL(path, scope).pathname));
const pagePath = new URL('index.html', scope).pathname;

/**
 * Stores all files of this version. Rejects if the server already has a later version of a file:
 * then the integrity differs, and the browser tries again later.
 */
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

/**
 * Returns the stored file. If the browser has removed the file, fetches `request` from the network.
 */
async function respond(path, request) {
  const cache = await caches.open(cacheName);
  return (await cache.match(path)) ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(removeOtherVersions()));
// The page sends `activate` when the user wants the new version. Without this message, the new
// version waits until all tabs of the app are closed.
self.addEventListener('message', ({ data }) => data === 'activate' && self.skipWaiting());
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (paths.has(pathname)) event.respondWith(respond(pathname, request));
  // The app has one page for all addresses. Its router shows the screen of the address.
  else if (request.mode === 'navigate') event.respondWith(respond(pagePath, request));
});
