// Counts what the policy of the page has forbidden, and says what it was.
const refused = document.querySelector('#refused');
const list = document.querySelector('#list');
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  refused.value = Number(refused.value) + 1;
  const item = document.createElement('li');
  item.textContent = `${effectiveDirective}: ${blockedURI}`;
  list.append(item);
});
