// Files can be dropped anywhere on the form, and it shows how much of them has been sent.

export function start(form) {
  const files = form.querySelector('input[type="file"]');
  for (const kind of ['dragenter', 'dragover'])
    form.addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      form.classList.add('dropping');
    });
  for (const kind of ['dragleave', 'drop']) form.addEventListener(kind, () => form.classList.remove('dropping'));
  form.addEventListener('drop', (event) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    files.files = event.dataTransfer.files;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form, event.submitter);
  });
}

function send(form, button) {
  const action = button.getAttribute('formaction') ?? form.action;
  const progress = Object.assign(document.createElement('progress'), { max: 1, value: 0, ariaLabel: form.dataset.sent ?? '' });
  button.disabled = true;
  button.after(progress);
  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => (progress.value = loaded / total));
  request.addEventListener('load', () => show(request));
  request.addEventListener('error', () => {
    // As without a script: the browser says what is wrong.
    form.action = action;
    form.submit();
  });
  request.open('POST', action);
  request.send(new FormData(form));
}

/** The page that the service leads to. It has been answered already, and says once what was done. */
function show({ responseURL, responseText }) {
  history.pushState(null, '', responseURL);
  document.open();
  document.write(responseText);
  document.close();
  // The browser has run the script of pages in this window already, and runs it again by another address only.
  import(`${document.querySelector('script[type="module"]').src}?${Date.now()}`);
}
