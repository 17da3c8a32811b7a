/** The console's design system: it shares the widget's tokens, and knows no view. */

export { Badge } from './badge.tsx';
export { Button, ButtonLink } from './button.tsx';
export { Choices } from './choices.tsx';
export { type Command, useCommands } from './commands.ts';
export { ConfirmDialog, Dialog } from './dialog.tsx';
export { CheckField, type Option, SelectField, TextArea, TextField } from './field.tsx';
export { FormDialog } from './form-dialog.tsx';
export { Icon, type IconName } from './icon.tsx';
export { Card, Facts, Page } from './page.tsx';
export { Palette } from './palette.tsx';
export { Progress } from './progress.tsx';
export { SecretDialog } from './secret-dialog.tsx';
export { shortFormat } from './short-format.ts';
export { EmptyState, ErrorState, LoadingState, QueryView } from './states.tsx';
export { type Column, Table } from './table.tsx';
export { Tabs } from './tabs.tsx';
export { formatSeconds, Time } from './time.tsx';
export { showToast, Toasts, tryTo } from './toast.tsx';
export { useFollowedEnd } from './use-followed-end.ts';
export { formatTurns, nameOfChannel } from './words.ts';
