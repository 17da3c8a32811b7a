import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';

/** The frame of a view: its title, which is the document's too, what can be done, and the content. */
export function Page({
  title,
  summary,
  actions,
  isWide = false,
  children,
}: {
  title: string;
  /** A sentence below the title. */
  summary?: ComponentChildren;
  actions?: ComponentChildren;
  /** Whether the content fills the window and scrolls inside. */
  isWide?: boolean;
  children: ComponentChildren;
}): VNode {
  useEffect(() => {
    document.title = `${title} – Natter`;
  }, [title]);
  return (
    <div class="page" data-wide={isWide}>
      <header class="page-head">
        <div class="grow">
          <h1>{title}</h1>
          {summary !== undefined && <p class="quiet">{summary}</p>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a page with a title. */
export function Card({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}): VNode {
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h2 class="grow">{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** Names and values. Pairs without a value are left out. */
export function DescriptionList({
  items,
}: {
  items: readonly (readonly [name: string, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class="facts">
      {items
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
