import type { CallAction } from '../client/index.ts';
import { Icon } from './icons.tsx';
import { toTelHref } from './markdown/safe-href.ts';
import { usePanel } from './panel-model.ts';
import { fill } from './strings/catalogue.ts';
import { type View, view } from './view.ts';

/** Numbers to call. Source: messaging.md 7.5. */
export const CallActions: View<{ actions: readonly CallAction[] }> = view(({ actions }) => {
  const { strings } = usePanel();
  const shown = actions.flatMap((action) => {
    const href = toTelHref(action.phoneNumber);
    return href ? [{ ...action, href }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <div class="calls">
      {shown.map(({ title, phoneNumber, href }) => (
        <a key={href + title} class="call" href={href}>
          <Icon name="phone" size={18} />
          <span class="call-title" dir="auto">
            {title || fill(strings.value.call, { number: phoneNumber })}
          </span>
          {title && (
            <bdi class="call-number" dir="ltr">
              {phoneNumber}
            </bdi>
          )}
        </a>
      ))}
    </div>
  );
});
