import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> {
  /** `main`: the most frequent action, one on a page. `plain`: no border. `danger`: cannot be undone. */
  readonly kind?: 'main' | 'plain' | 'danger' | undefined;
  readonly icon?: IconName | undefined;
  /** Its action is running: it can be focused but not pressed. */
  readonly isBusy?: boolean | undefined;
  /** Whether it can be pressed now. A disabled button stays focusable, so that screen readers read its name. */
  readonly isReady?: boolean | undefined;
  readonly children?: ComponentChildren;
}

/** A button. Without a text it needs an `aria-label`. */
export function Button({
  kind,
  icon,
  isBusy = false,
  isReady = true,
  children,
  onClick,
  ...rest
}: ButtonProps): VNode {
  const canPress = isReady && !isBusy;
  return (
    <button
      type="button"
      {...rest}
      class={kind}
      aria-busy={isBusy}
      aria-disabled={!canPress}
      onClick={canPress ? onClick : (event) => event.preventDefault()}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  kind,
  icon,
  children,
}: {
  href: string;
  kind?: 'main' | 'plain';
  icon?: IconName;
  children: ComponentChildren;
}): VNode {
  return (
    <a class={`button ${kind ?? ''}`} href={href}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  );
}
