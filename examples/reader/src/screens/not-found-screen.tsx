import type { VNode } from 'preact';
import { useTitle } from '../use-title';

export function NotFoundScreen(): VNode {
  useTitle('No such page');
  return (
    <>
      <h1>No such page</h1>
      <p>
        <a href="/">Go to the start</a>
      </p>
    </>
  );
}
