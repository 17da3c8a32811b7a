import type { ComponentChildren, TargetedKeyboardEvent, VNode } from 'preact';

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** The tabs of panels of which one is shown; arrow keys go from tab to tab. Each has a `TabPanel` of the same `id`. */
export function TabList<Name extends string>({
  id,
  label,
  tabs,
  shown,
  onShow,
  onClick,
}: {
  id: string;
  label: string;
  tabs: readonly { readonly id: Name; readonly name: string }[];
  shown: Name;
  onShow: (tab: Name) => void;
  /** Called after a click on a tab, which an arrow key is not. */
  onClick?: () => void;
}): VNode {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const place = tabs.findIndex((tab) => tab.id === shown);
    const next = tabs.at((place + step) % tabs.length);
    if (next === undefined) return;
    onShow(next.id);
    event.currentTarget.querySelectorAll('button')[tabs.indexOf(next)]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          class="tab"
          type="button"
          role="tab"
          id={`${id}-${tab.id}`}
          aria-selected={tab.id === shown}
          aria-controls={`${id}-${tab.id}-panel`}
          tabIndex={tab.id === shown ? 0 : -1}
          onClick={() => {
            onShow(tab.id);
            onClick?.();
          }}
        >
          {tab.name}
        </button>
      ))}
    </div>
  );
}

/** Content of one tab of a `TabList`. */
export function TabPanel({
  id,
  tab,
  class: className,
  isHidden = false,
  children,
}: {
  /** The list's. */
  id: string;
  tab: string;
  class?: string;
  isHidden?: boolean;
  children: ComponentChildren;
}): VNode {
  return (
    <div
      class={className}
      role="tabpanel"
      id={`${id}-${tab}-panel`}
      aria-labelledby={`${id}-${tab}`}
      hidden={isHidden}
    >
      {children}
    </div>
  );
}
