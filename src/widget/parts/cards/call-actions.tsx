import type { VNode } from 'preact';
import type { CallAction } from '../../../client/index.ts';
import { Icon } from '../../icons.tsx';
import { toTelHref } from '../../links/safe-href.ts';
import { listKey } from '../../list-key.ts';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';

const PHONE =
  'M5 4h4l1.6 4.2-2.3 1.7a12 12 0 005.8 5.8l1.7-2.3L20 15v4a1.5 1.5 0 01-1.7 1.5C10.6 19.7 4.3 13.4 3.5 5.7A1.5 1.5 0 015 4z';

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Buttons that call a number, which is named once. Source: messaging.md 7.5. */
export function CallActions({ actions }: { actions: readonly CallAction[] }): VNode | null {
  const { strings } = usePanel();
  const shown = actions.flatMap((action) => {
    const href = toTelHref(action.phoneNumber);
    return href ? [{ ...action, href }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <div class="calls">
      {shown.map(({ title, phoneNumber, href }, index) => (
        <a key={listKey(index)} class="call" part="call" href={href}>
          <Icon path={PHONE} size={18} />
          <span class="call-title">
            <bdi>{title || fill(strings.value.call, { number: phoneNumber })}</bdi>
            {title && !digitsOf(title).includes(digitsOf(phoneNumber)) && (
              <bdi class="call-number" dir="ltr">
                {phoneNumber}
              </bdi>
            )}
          </span>
        </a>
      ))}
    </div>
  );
}
