/** The console's design system: it shares the widget's tokens, and depends on no view. */

export { Badge } from './badge.tsx';
export { Button, ButtonLink } from './button.tsx';
export { ConfirmDialog, Dialog } from './dialogs/dialog.tsx';
export { FormDialog } from './dialogs/form-dialog.tsx';
export { SecretDialog } from './dialogs/secret-dialog.tsx';
export { Choices } from './fields/choices.tsx';
export { CheckField, type Option, SelectField, TextArea, TextField } from './fields/field.tsx';
export { FoldedFilters } from './fields/folded-filters.tsx';
export { Icon, type IconName } from './icon.tsx';
export { Card, DescriptionList, Page } from './page.tsx';
export { type Command, useCommands } from './palette/commands.ts';
export { Palette } from './palette/palette.tsx';
export { type Shortcuts, ShortcutsDialog } from './palette/shortcuts-dialog.tsx';
export type { Find } from './palette/use-found.ts';
export { Progress } from './progress.tsx';
export { EmptyState, ErrorState, LoadingState, QueryView } from './states.tsx';
export { TabList, TabPanel } from './tab-list.tsx';
export { type Column, Table } from './table.tsx';
export { Tabs } from './tabs.tsx';
export { setTheme, startTheme } from './theme.ts';
export { shortFormat } from './time/short-format.ts';
export { formatSeconds, Time } from './time/time.tsx';
export { showToast, Toasts, tryTo } from './toast.tsx';
export { useAttempt } from './use-attempt.ts';
export { useFollowedEnd } from './use-followed-end.ts';
export { formatTurns, nameOfChannel, nameOfLanguage } from './words.ts';
