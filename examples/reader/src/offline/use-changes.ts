import { useEffect, useState } from 'preact/hooks';

/** Renders the component again after each `change` event of the target. */
export function useChanges(target: EventTarget): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    const listener = () => setCount((count) => count + 1);
    target.addEventListener('change', listener);
    // Renders a change that happened between the first rendering and this effect, when nobody listened.
    listener();
    return () => target.removeEventListener('change', listener);
  }, [target]);
}
