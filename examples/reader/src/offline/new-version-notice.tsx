import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { registerServiceWorker } from './register-service-worker';

/** Says that a newer version of the reader is ready, and changes to it when the user wants. */
export function NewVersionNotice(): VNode {
  const [update, setUpdate] = useState<(() => void) | null>(null);
  useEffect(() => registerServiceWorker((change) => setUpdate(() => change)), []);
  return (
    <p role="status" class={update ? 'banner' : undefined}>
      {update && (
        <>
          A new version of the reader is ready.{' '}
          <button type="button" onClick={update}>
            Reload
          </button>
        </>
      )}
    </p>
  );
}
