import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

export interface LoadMoreProps {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  /** Renders the page after a cursor. */
  children(after: string): ComponentChildren;
}

/** A button that loads the next page below this page. Renders nothing after the last page. */
export function LoadMore({ pageInfo, children }: LoadMoreProps): VNode | null {
  const [isOpen, setOpen] = useState(false);
  const { hasNextPage, endCursor } = pageInfo;
  if (!hasNextPage || endCursor === null) return null;
  if (isOpen) return <NextPage>{children(endCursor)}</NextPage>;
  return (
    <p>
      <button type="button" onClick={() => setOpen(true)}>
        Show more
      </button>
    </p>
  );
}

/** The next page. It takes the focus, because the button that had the focus is no longer shown. */
function NextPage({ children }: { children: ComponentChildren }): VNode {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={element} tabIndex={-1} class="next-page">
      {children}
    </div>
  );
}
