import { useEffect } from 'preact/hooks';

/**
 * Sets the title of the browser's window. If `title` is null or empty, the title stays unchanged.
 */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title) document.title = `${title} · Reader`;
  }, [title]);
}
