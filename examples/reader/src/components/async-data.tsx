import type { ComponentChildren, VNode } from 'preact';
import { explainError } from '../explain-error';
import { useReader } from '../reader-context';
import type { Data } from '../use-data';

export interface AsyncDataProps<Value> {
  readonly data: Data<Value>;
  /** The heading above a failure, for screens whose own heading is part of the data. */
  readonly heading?: string;
  children(value: Value): ComponentChildren;
}

/**
 * Shows the loaded data, a note that the data is being loaded, or why the data could not be loaded.
 */
export function AsyncData<Value>({ data, heading, children }: AsyncDataProps<Value>): VNode {
  if (data.kind === 'loading')
    return (
      <p role="status" class="loading">
        Loading …
      </p>
    );
  if (data.kind === 'failed')
    return (
      <>
        {heading !== undefined && <h1>{heading}</h1>}
        <Failure error={data.error} retry={data.retry} />
      </>
    );
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
