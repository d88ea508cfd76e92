import { useEffect, useState } from 'preact/hooks';

/** A hook that renders the component again after each `change` event of the target. */
export function useChangeEvent(target: EventTarget): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    const listener = () => setCount((count) => count + 1);
    target.addEventListener('change', listener);
    // Renders a change that happened after the first rendering, but before this effect added the
    // listener.
    listener();
    return () => target.removeEventListener('change', listener);
  }, [target]);
}
