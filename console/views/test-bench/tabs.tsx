import type { ComponentChildren, TargetedKeyboardEvent, VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';

/** One of several panels. */
export interface Tab {
  readonly id: string;
  readonly name: string;
  readonly panel: ComponentChildren;
}

/** Panels of which one is shown; arrow keys go from tab to tab. The others keep their state. */
export function Tabs({
  label,
  tabs,
  shown,
  onShow,
}: {
  label: string;
  tabs: readonly Tab[];
  shown: string;
  onShow: (id: string) => void;
}): VNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: tabs.length - 1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (tabs.findIndex((tab) => tab.id === shown) + step) % tabs.length;
    onShow(tabs[next]?.id ?? shown);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div class="bench-tabs">
      <div ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === shown}
            aria-controls={`${id}-${tab.id}-panel`}
            tabIndex={tab.id === shown ? 0 : -1}
            onClick={() => onShow(tab.id)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        <div
          key={tab.id}
          role="tabpanel"
          id={`${id}-${tab.id}-panel`}
          aria-labelledby={`${id}-${tab.id}`}
          hidden={tab.id !== shown}
        >
          {tab.panel}
        </div>
      ))}
    </div>
  );
}
