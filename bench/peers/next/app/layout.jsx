import '../given/screen.css'

export default function Layout({ children }) {
  return (
    <html lang="es">
      <head>
        <link rel="icon" href="data:," />
      </head>
      <body>{children}</body>
    </html>
  )
}
