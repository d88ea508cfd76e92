import type { ComponentChildren, VNode } from 'preact';
import { explainError } from '../explain-error';
import { useReader } from '../reader-context';
import type { Data } from '../use-data';

/** Shows loaded data, or that it is being loaded, or why it could not be loaded. */
export function Show<Value>({
  data,
  children,
}: {
  data: Data<Value>;
  children: (value: Value) => ComponentChildren;
}): VNode {
  if (data.kind === 'loading')
    return (
      <p role="status" class="loading">
        Loading …
      </p>
    );
  if (data.kind === 'failed') return <Failure error={data.error} retry={data.retry} />;
  return <>{children(data.value)}</>;
}

function Failure({ error, retry }: { error: unknown; retry: () => void }): VNode {
  const { settings } = useReader();
  const { title, advice, isSetting } = explainError(error, settings.url);
  return (
    <div role="alert" class="failure">
      <p>
        <strong>{title}</strong> {advice}
      </p>
      <p>
        <button type="button" onClick={retry}>
          Try again
        </button>
        {isSetting && <a href="/settings">Open the settings</a>}
      </p>
    </div>
  );
}
