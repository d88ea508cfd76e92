import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useTitle } from '../use-title';

export interface ErrorScreenProps {
  readonly error: unknown;
  /** Called when the user opens another screen. */
  forget(): void;
}

/**
 * Shown in place of a screen that could not be rendered: the address is malformed, or the reader
 * has failed.
 */
export function ErrorScreen({ error, forget }: ErrorScreenProps): VNode {
  const { path } = useLocation();
  const failedPath = useRef(path);
  useEffect(() => {
    if (path !== failedPath.current) forget();
  }, [path]);
  useTitle('Failure');
  return (
    <>
      <h1>This screen cannot be shown</h1>
      <p>{error instanceof URIError ? 'The address is not complete.' : String(error)}</p>
      <p>
        <a href="/">Go to the start</a>
      </p>
    </>
  );
}
