import { createRoot } from 'react-dom/client';
import { openSessionStorage } from './api-key';
import { Explorer } from './explorer';
import './explorer.css';

const container = document.getElementById('explorer');
if (!container) throw new Error('The page has no element with the id "explorer".');

// Monaco reads this global. The Content-Security-Policy allows no blob: URLs, so its workers are files of this site.
Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: (_: string, label: string) =>
      new Worker(label in WORKERS ? WORKERS[label as keyof typeof WORKERS] : WORKERS.editor),
  },
});

createRoot(container).render(
  <Explorer isWide={window.matchMedia('(min-width: 64rem)').matches} storage={openSessionStorage()} />,
);
