import { useEffect, useState } from 'preact/hooks';

/** Renders the component again after each `change` event of the target. */
export function useChanges(target: EventTarget): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    const listener = () => setCount((count) => count + 1);
    target.addEventListener('change', listener);
    // A change between the first rendering and this effect had no listener.
    listener();
    return () => target.removeEventListener('change', listener);
  }, [target]);
}
