/**
 * Registers the service worker, which stores the app for use without a network. Calls `onUpdate`
 * when a newer version of the app is stored. `onUpdate` receives a function that activates the
 * newer version and reloads all tabs of the app.
 */
export function registerServiceWorker(onUpdate: (change: () => void) => void): void {
  // Vite's development server has no service worker. Pages without HTTPS and some private windows
  // cannot register a service worker.
  if (!import.meta.env.PROD || !navigator.serviceWorker) return;
  const { serviceWorker } = navigator;
  // Without a reload, the page would load files of two versions.
  serviceWorker.addEventListener('controllerchange', () => location.reload());
  serviceWorker
    .register(`${import.meta.env.BASE_URL}service-worker.js`)
    .then((registration) => watch(registration, onUpdate))
    // Without a service worker the reader works, but only with a network.
    .catch(() => undefined);
}

function watch(registration: ServiceWorkerRegistration, onUpdate: (change: () => void) => void): void {
  const report = (worker: ServiceWorker | null): void => {
    if (worker?.state !== 'installed' || !registration.active) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Only messages to windows have an origin.
    onUpdate(() => worker.postMessage('activate'));
  };
  report(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => report(installing));
  });
}
