import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

// Anything faster than this shows no sign of loading.
const LOADING_DELAY_MS = 400;

/** Replaces an empty list: the reason, and the next step. */
export function EmptyState({
  title,
  icon = 'search',
  children,
}: {
  title: string;
  icon?: IconName;
  children?: ComponentChildren;
}): VNode {
  return (
    <div class="state">
      <Icon name={icon} />
      <p class="state-title">{title}</p>
      {children !== undefined && <div class="quiet">{children}</div>}
    </div>
  );
}

/** Shown while data loads, if that takes noticeably long. */
export function LoadingState({ label = 'Loading' }: { label?: string }): VNode {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), LOADING_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="state" role="status" aria-busy="true">
      {isShown && (
        <>
          <span class="spinner" />
          <p class="quiet">{label} …</p>
        </>
      )}
    </div>
  );
}

/** Replaces data that could not be loaded. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }): VNode {
  return (
    <div class="state" role="alert">
      <Icon name="warning" />
      <p class="state-title">{error instanceof Error ? error.message : String(error)}</p>
      {onRetry !== undefined && (
        <Button icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** The states of something that is read: loading, failed, there. */
export function QueryView<Data>({
  query,
  children,
}: {
  query: QueryObserverResult<Data>;
  children: (data: Data) => ComponentChildren;
}): VNode {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <LoadingState />;
}
