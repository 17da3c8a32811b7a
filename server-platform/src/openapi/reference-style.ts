/** The style of the reference page: light and dark, one column on phones, a list of contents beside it elsewhere. */
export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d8dee4; --page: #fff; --card: #f6f8fa;
  --link: #0b57d0; --get: #0a6c3d; --post: #0b57d0; --put: #8a5300; --patch: #8a5300; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa6b2; --line: #30363d; --page: #0d1117;
  --card: #161b22; --link: #7cb4ff; --get: #56d38b; --post: #7cb4ff; --put: #e3b341; --patch: #e3b341;
  --delete: #ff8e85; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); }
code { font: .875em/1.4 ui-monospace, 'Cascadia Mono', Consolas, monospace; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.375rem; margin: 3rem 0 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.0625rem; margin: 0 0 .25rem; display: flex; flex-wrap: wrap; gap: .25rem .625rem; align-items: baseline; }
h4 { font-size: .8125rem; margin: 1.25rem 0 .25rem; color: var(--soft); text-transform: uppercase; letter-spacing: .05em; }
p { margin: .25rem 0 .75rem; max-width: 70ch; }
main h2:first-child { margin-top: 0; padding-top: 0; border-top: 0; }
.page { max-width: 1180px; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
nav ul, .fields { list-style: none; margin: 0; padding: 0; }
nav h2 { font-size: .8125rem; margin: 1rem 0 .25rem; padding: 0; border: 0; color: var(--soft); text-transform: uppercase;
  letter-spacing: .05em; }
nav a { display: block; padding: .125rem 0; text-decoration: none; font-size: .9375rem; }
nav a:hover, nav a:focus-visible { text-decoration: underline; }
article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 0 0 1rem;
  scroll-margin-top: 1rem; }
.method { font: 700 .8125rem/1 ui-monospace, Consolas, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); }
.delete { color: var(--delete); }
.fields li { padding: .5rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.fields li:first-child { border-top: 0; }
.kind, .rules { color: var(--soft); font-size: .875rem; }
.rules { display: block; }
.need { font-size: .8125rem; font-weight: 600; }
summary { cursor: pointer; font-weight: 600; }
@media (min-width: 60rem) {
  .page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 0 3rem; padding-top: 2.5rem; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
`;
