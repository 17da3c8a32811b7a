import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { BASE, hrefOf, useProject, useSearch } from './location.ts';
import { account, deskWaiting, me, projects, signOut } from './session.ts';
import { COMMAND_KEY } from './shortcuts.ts';
import { Button, Icon, SelectField, tryTo } from './ui/index.ts';
import type { View } from './views.ts';

/** The views by group, the project, and the person. On narrow windows it opens from a bar. */
export function Navigation({
  views,
  onOpenPalette,
}: {
  views: readonly View[];
  onOpenPalette: () => void;
}): VNode {
  const { path } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view closes it
  useEffect(() => setOpen(false), [path]);
  const groups = [...new Set(views.map(({ group }) => group))];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes Escape from the buttons and links in it
    <header
      class="nav"
      data-open={isOpen}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape' || !isOpen) return;
        setOpen(false);
        currentTarget.querySelector('button')?.focus();
      }}
    >
      <div class="nav-bar">
        <Button
          kind="plain"
          icon={isOpen ? 'close' : 'menu'}
          aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isOpen}
          aria-controls="nav"
          onClick={() => setOpen(!isOpen)}
        />
        <span class="grow">{account.value?.name ?? 'Console'}</span>
        <Button kind="plain" icon="search" aria-label="Search everywhere" onClick={onOpenPalette} />
      </div>
      <div class="nav-body" id="nav">
        <div class="nav-head">
          <strong>{account.value?.name}</strong>
          <small>Console</small>
        </div>
        <ProjectChoice />
        <Button icon="search" onClick={onOpenPalette}>
          <span class="grow">Search …</span>
          <kbd>{COMMAND_KEY} K</kbd>
        </Button>
        <nav aria-label="Views">
          {groups.map((group) => (
            <section key={group}>
              {groups.length > 1 && <h2>{group}</h2>}
              <ul>
                {views
                  .filter((view) => view.group === group)
                  .map((view) => (
                    <li key={view.path}>
                      <a href={hrefOf(view.path)} aria-current={isShown(view, path) ? 'page' : undefined}>
                        <Icon name={view.icon} />
                        <span class="grow">{view.name}</span>
                        {view.path === '/desk' && deskWaiting.value > 0 && (
                          <span class="count">{deskWaiting.value} waiting</span>
                        )}
                      </a>
                    </li>
                  ))}
              </ul>
            </section>
          ))}
        </nav>
        <div class="nav-foot">
          <span class="grow">
            <strong>{me.value?.name}</strong>
            <small>{me.value?.role}</small>
          </span>
          <Button kind="plain" icon="sign_out" aria-label="Sign out" onClick={() => void tryTo(signOut)} />
        </div>
      </div>
    </header>
  );
}

function ProjectChoice(): VNode | null {
  const [, change] = useSearch();
  const project = useProject();
  if (projects.value.length < 2) return null;
  return (
    <SelectField
      label="Project"
      isLabelHidden
      options={projects.value.map(({ slug, name }) => [slug, name])}
      value={project?.slug ?? ''}
      onChange={({ currentTarget }) => change({ project: currentTarget.value }, false)}
    />
  );
}

function isShown({ path }: View, shown: string): boolean {
  return shown === BASE + path || shown.startsWith(`${BASE}${path}/`);
}
