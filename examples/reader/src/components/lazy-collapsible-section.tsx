import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

/**
 * A section that the user opens. Its content is rendered, and therefore loaded, when the section is
 * opened.
 */
export function CollapsibleSection({
  title,
  isOpen = false,
  children,
}: {
  title: string;
  isOpen?: boolean;
  children: () => ComponentChildren;
}): VNode {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details class="section" open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {wasOpened && children()}
    </details>
  );
}
