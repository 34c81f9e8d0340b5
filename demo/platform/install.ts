/** Installs the page as an app, where the browser offers it and a person asks. */

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>
}

let offered: InstallPrompt | null = null

/** Tells when the browser offers to install the page, and when it no longer does. */
export function watchInstall(report: (installable: boolean) => void): void {
  addEventListener('beforeinstallprompt', (event) => {
    // Without this some browsers put a banner of their own over the page.
    event.preventDefault()
    offered = event as InstallPrompt
    report(true)
  })
  addEventListener('appinstalled', () => {
    offered = null
    report(false)
  })
}

/** Shows the browser's question; it can be asked once per offer. */
export async function install(): Promise<void> {
  const prompt = offered
  offered = null
  await prompt?.prompt()
}
