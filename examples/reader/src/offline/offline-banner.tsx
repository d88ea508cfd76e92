import type { VNode } from 'preact';
import { useReader } from '../reader-context';
import { useChangeEvent } from './use-change-event';

/** Says that the service cannot be reached, and what still works. */
export function OfflineBanner(): VNode {
  const { library, connection } = useReader();
  useChangeEvent(library.changes);
  useChangeEvent(connection.changes);
  const stored = library.stored();
  const count = stored.kind === 'loaded' ? stored.packages.length : 0;
  return (
    <p role="status" class={connection.isLost() ? 'banner' : undefined}>
      {connection.isLost() && (
        <>
          The service cannot be reached.{' '}
          {count > 0
            ? 'You can read the translations on this device, and search them for words.'
            : 'No translation is on this device, so nothing can be read until you are connected again.'}
        </>
      )}
    </p>
  );
}
