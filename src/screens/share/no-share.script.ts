/** Runs before the first paint of the share page: its last way to share is not in every browser. */
if (!navigator.share) document.documentElement.classList.add('no-share')
