import { useEffect } from 'preact/hooks';

/** Sets the title of the browser's window. Null and an empty text leave it as it is. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title) document.title = `${title} · Reader`;
  }, [title]);
}
