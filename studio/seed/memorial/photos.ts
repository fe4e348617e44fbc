import type { Words } from '../words.ts'
import type { MotifName, Paint } from './motifs.ts'

/** One picture of the memorial. Its place in the list is its place in the memorial and in the book. */
export interface Photo {
  readonly motif: MotifName
  readonly paint: Paint
  readonly caption: Words
  /** What is to be seen, for whoever cannot see it. */
  readonly alt: Words
}

const words = (es: string, en: string, fr: string): Words => ({ es, en, fr })

/** Four hours of the day, for each motif to be painted in. */
const DAWN: Paint = { sky: ['#a8bccb', '#dcc9c0', '#f3d9bf'], light: '#fff3dc', near: '#3c4a52' }
const DAY: Paint = { sky: ['#7fa5b8', '#bcd3d6', '#e9ece0'], light: '#fffdf2', near: '#2f4b4a' }
const DUSK: Paint = { sky: ['#4b4a6b', '#a8677a', '#e9a37c'], light: '#ffe0b0', near: '#2a2238' }
const NIGHT: Paint = { sky: ['#141c33', '#2b3a5c', '#5d6f8e'], light: '#f4ead0', near: '#0c1220' }
const LINEN: Paint = { sky: ['#f3ede0', '#e9e0cf'], light: '#c9cdb4', near: '#55603f' }
const LIME: Paint = { sky: ['#eef0ea', '#dde3dc'], light: '#bccabb', near: '#40574a' }
const PLASTER: Paint = { sky: ['#d9cbb8', '#c9b79f'], light: '#fbf1d9', near: '#6f5d49' }
const ROSE: Paint = { sky: ['#d8b9ad', '#c69f93'], light: '#ffe9cf', near: '#714a48' }
const WHEAT: Paint = { sky: ['#9db8bf', '#ead9b0', '#f2cf8f'], light: '#fff1c4', near: '#6b4e22' }
const SAND: Paint = { sky: ['#b9c6c4', '#ead7b7', '#e7bf92'], light: '#fff0d2', near: '#8a5a3c' }

export const PHOTOS: readonly Photo[] = [
  {
    motif: 'hills',
    paint: DAWN,
    caption: words('Primera luz', 'First light', 'Première lueur'),
    alt: words(
      'Colinas en capas de niebla bajo un cielo rosado; el sol acaba de salir.',
      'Hills in layers of mist beneath a rosy sky; the sun has just risen.',
      'Des collines dans la brume sous un ciel rosé ; le soleil vient de se lever.',
    ),
  },
  {
    motif: 'sea',
    paint: DUSK,
    caption: words('El mar al final del día', 'The sea at day’s end', 'La mer au bout du jour'),
    alt: words(
      'Un camino de luz sobre el mar en calma, al atardecer.',
      'A path of light on a calm sea at sunset.',
      'Un chemin de lumière sur la mer calme, au couchant.',
    ),
  },
  {
    motif: 'olive',
    paint: LINEN,
    caption: words('Rama de olivo', 'Olive branch', 'Rameau d’olivier'),
    alt: words(
      'Una rama de olivo con hojas verdes y plateadas sobre un fondo claro.',
      'An olive branch with green and silver leaves on a pale ground.',
      'Un rameau d’olivier aux feuilles vertes et argentées sur un fond clair.',
    ),
  },
  {
    motif: 'lanterns',
    paint: NIGHT,
    caption: words('Luces sobre el agua', 'Lights on the water', 'Des lumières sur l’eau'),
    alt: words(
      'Farolillos que flotan de noche en un lago y se reflejan en él.',
      'Lanterns floating on a lake at night, mirrored in the water.',
      'Des lanternes flottent sur un lac la nuit et s’y reflètent.',
    ),
  },
  {
    motif: 'tree',
    paint: DAY,
    caption: words('El árbol que se queda', 'The tree that stays', 'L’arbre qui demeure'),
    alt: words(
      'Un árbol solo y frondoso en lo alto de una loma.',
      'A single leafy tree on top of a low hill.',
      'Un arbre seul et feuillu au sommet d’une butte.',
    ),
  },
  {
    motif: 'lightOnWall',
    paint: PLASTER,
    caption: words('Una ventana en la pared', 'A window on the wall', 'Une fenêtre sur le mur'),
    alt: words(
      'La luz de una ventana dibuja cuatro cuadros cálidos en una pared, con la sombra de unas hojas.',
      'Light from a window lays four warm squares on a wall, with the shadow of leaves.',
      'La lumière d’une fenêtre dessine quatre carrés chauds sur un mur, avec l’ombre de feuilles.',
    ),
  },
  {
    motif: 'birds',
    paint: DUSK,
    caption: words('Vuelven', 'They return', 'Ils reviennent'),
    alt: words(
      'Una bandada cruza el cielo del atardecer sobre unas colinas oscuras.',
      'A flock crosses the evening sky above dark hills.',
      'Une volée traverse le ciel du soir au-dessus de collines sombres.',
    ),
  },
  {
    motif: 'field',
    paint: WHEAT,
    caption: words('Antes de la siega', 'Before the harvest', 'Avant la moisson'),
    alt: words(
      'Espigas de trigo a contraluz, con el sol bajo detrás.',
      'Ears of wheat against the light, the low sun behind them.',
      'Des épis de blé à contre-jour, le soleil bas derrière eux.',
    ),
  },
  {
    motif: 'lake',
    paint: DAWN,
    caption: words('Agua quieta', 'Still water', 'Eau tranquille'),
    alt: words(
      'Montañas pálidas que se miran en un lago sin viento.',
      'Pale mountains mirrored in a windless lake.',
      'Des montagnes pâles se mirent dans un lac sans vent.',
    ),
  },
  {
    motif: 'dunes',
    paint: SAND,
    caption: words('Arena y viento', 'Sand and wind', 'Le sable et le vent'),
    alt: words(
      'Dunas con una cara en luz y otra en sombra, bajo un sol velado.',
      'Dunes, one side in light and one in shade, beneath a veiled sun.',
      'Des dunes, un versant au soleil et l’autre à l’ombre, sous un soleil voilé.',
    ),
  },
  {
    motif: 'hills',
    paint: NIGHT,
    caption: words('Luna sobre los montes', 'Moon over the hills', 'La lune sur les monts'),
    alt: words(
      'La luna llena sobre siete filas de montes azules.',
      'A full moon over seven rows of blue hills.',
      'La pleine lune sur sept rangées de monts bleus.',
    ),
  },
  {
    motif: 'olive',
    paint: LIME,
    caption: words('Sombra de verano', 'Summer shade', 'Ombre d’été'),
    alt: words(
      'Rama de olivo en verdes fríos, con otra desenfocada detrás.',
      'An olive branch in cool greens, another blurred behind it.',
      'Un rameau d’olivier aux verts froids, un autre flou derrière.',
    ),
  },
  {
    motif: 'sea',
    paint: DAWN,
    caption: words('La mañana en el puerto', 'Morning at the harbor', 'Le matin au port'),
    alt: words(
      'El sol pálido de la mañana sobre un mar gris y claro.',
      'The pale morning sun on a light gray sea.',
      'Le pâle soleil du matin sur une mer gris clair.',
    ),
  },
  {
    motif: 'tree',
    paint: DUSK,
    caption: words('A la misma hora', 'At the same hour', 'À la même heure'),
    alt: words(
      'La silueta de un árbol contra un cielo malva y naranja.',
      'The outline of a tree against a mauve and orange sky.',
      'La silhouette d’un arbre sur un ciel mauve et orangé.',
    ),
  },
  {
    motif: 'lightOnWall',
    paint: ROSE,
    caption: words('La siesta', 'The afternoon rest', 'L’heure de la sieste'),
    alt: words(
      'Cuatro cuadros de sol en una pared rosada.',
      'Four squares of sunlight on a rose-colored wall.',
      'Quatre carrés de soleil sur un mur rose.',
    ),
  },
  {
    motif: 'lanterns',
    paint: DUSK,
    caption: words('Una luz por cada nombre', 'One light for each name', 'Une lumière pour chaque nom'),
    alt: words(
      'Luces que flotan en el agua cuando el cielo aún es rojizo.',
      'Lights afloat on the water while the sky is still red.',
      'Des lumières flottent sur l’eau quand le ciel rougeoie encore.',
    ),
  },
  {
    motif: 'field',
    paint: DAWN,
    caption: words('Rocío', 'Dew', 'Rosée'),
    alt: words(
      'Hierbas altas en la niebla de la mañana.',
      'Tall grasses in the morning mist.',
      'De hautes herbes dans la brume du matin.',
    ),
  },
  {
    motif: 'birds',
    paint: DAY,
    caption: words('Camino del sur', 'On the way south', 'En route vers le sud'),
    alt: words(
      'Aves en vuelo por un cielo azul muy claro.',
      'Birds in flight across a very light blue sky.',
      'Des oiseaux en vol dans un ciel bleu très clair.',
    ),
  },
  {
    motif: 'dunes',
    paint: DUSK,
    caption: words('El desierto se enfría', 'The desert cools', 'Le désert fraîchit'),
    alt: words(
      'Dunas moradas bajo los últimos tonos cálidos del día.',
      'Purple dunes beneath the last warm tones of the day.',
      'Des dunes violettes sous les derniers tons chauds du jour.',
    ),
  },
  {
    motif: 'lake',
    paint: NIGHT,
    caption: words('El lago de noche', 'The lake at night', 'Le lac, la nuit'),
    alt: words(
      'La luna y las montañas reflejadas en un lago oscuro.',
      'The moon and the mountains mirrored in a dark lake.',
      'La lune et les montagnes se reflètent dans un lac sombre.',
    ),
  },
  {
    motif: 'ripples',
    paint: DAY,
    caption: words('Cuatro gotas', 'Four drops', 'Quatre gouttes'),
    alt: words(
      'Círculos que se abren en un agua clara y quieta donde han caído cuatro gotas.',
      'Rings opening on clear, still water where four drops have fallen.',
      'Des cercles s’ouvrent sur une eau claire et calme où quatre gouttes sont tombées.',
    ),
  },
  {
    motif: 'candle',
    paint: NIGHT,
    caption: words('Una vela encendida', 'A lit candle', 'Une bougie allumée'),
    alt: words(
      'Una vela encendida en la oscuridad, con un resplandor azulado alrededor.',
      'A lit candle in the dark, a bluish glow around it.',
      'Une bougie allumée dans l’obscurité, entourée d’une lueur bleutée.',
    ),
  },
  {
    motif: 'path',
    paint: DAY,
    caption: words('El camino sigue', 'The path goes on', 'Le chemin continue'),
    alt: words(
      'Un camino claro que serpentea entre la hierba hasta el horizonte.',
      'A pale path winding through the grass to the horizon.',
      'Un chemin clair serpente dans l’herbe jusqu’à l’horizon.',
    ),
  },
  {
    motif: 'stars',
    paint: NIGHT,
    caption: words('El mismo cielo', 'The same sky', 'Le même ciel'),
    alt: words(
      'Un cielo lleno de estrellas sobre una fila de pinos oscuros.',
      'A sky full of stars above a row of dark pines.',
      'Un ciel plein d’étoiles au-dessus d’une rangée de pins sombres.',
    ),
  },
  {
    motif: 'blossom',
    paint: DAWN,
    caption: words('Almendro en flor', 'Almond in blossom', 'Amandier en fleur'),
    alt: words(
      'Ramas de almendro con flores blancas sobre un cielo rosado.',
      'Almond branches with white blossom against a rosy sky.',
      'Des branches d’amandier aux fleurs blanches sur un ciel rosé.',
    ),
  },
  {
    motif: 'boat',
    paint: DUSK,
    caption: words('Una barca vuelve', 'A boat comes home', 'Une barque rentre'),
    alt: words(
      'Una barca con su remo en un mar anaranjado, al ponerse el sol.',
      'A small boat and its oar on an orange sea as the sun goes down.',
      'Une barque et sa rame sur une mer orangée, au soleil couchant.',
    ),
  },
  {
    motif: 'arch',
    paint: PLASTER,
    caption: words('La puerta abierta', 'The open door', 'La porte ouverte'),
    alt: words(
      'Un arco abierto a unas colinas soleadas; la luz entra por el suelo, junto a una planta.',
      'An archway open to sunny hills; light falls across the floor beside a plant.',
      'Une arche ouverte sur des collines ensoleillées ; la lumière entre sur le sol, près d’une plante.',
    ),
  },
  {
    motif: 'village',
    paint: DUSK,
    caption: words('Ventanas encendidas', 'Lit windows', 'Fenêtres éclairées'),
    alt: words(
      'Casas de tejado inclinado con algunas ventanas encendidas, al anochecer.',
      'Houses with pitched roofs, some of their windows lit at nightfall.',
      'Des maisons aux toits pointus, quelques fenêtres éclairées à la tombée de la nuit.',
    ),
  },
  {
    motif: 'trunks',
    paint: DAWN,
    caption: words('Entre los abedules', 'Among the birches', 'Parmi les bouleaux'),
    alt: words(
      'Troncos de abedul en la niebla, con el sol detrás.',
      'Birch trunks in the mist, the sun behind them.',
      'Des troncs de bouleaux dans la brume, le soleil derrière eux.',
    ),
  },
  {
    motif: 'lighthouse',
    paint: NIGHT,
    caption: words('Alguien vela', 'Somebody keeps watch', 'Quelqu’un veille'),
    alt: words(
      'Un faro sobre las rocas cruza la noche con su luz.',
      'A lighthouse on the rocks sends its beam across the night.',
      'Un phare sur les rochers traverse la nuit de sa lumière.',
    ),
  },
  {
    motif: 'ripples',
    paint: DUSK,
    caption: words('Lo que se extiende', 'What spreads', 'Ce qui se propage'),
    alt: words(
      'Ondas en un agua teñida de naranja y malva.',
      'Ripples on water tinted orange and mauve.',
      'Des ondes sur une eau teintée d’orange et de mauve.',
    ),
  },
  {
    motif: 'candle',
    paint: DUSK,
    caption: words('La luz de casa', 'The light at home', 'La lumière de la maison'),
    alt: words(
      'Una vela ilumina de naranja una habitación en penumbra.',
      'A candle fills a dim room with orange light.',
      'Une bougie éclaire d’orange une pièce dans la pénombre.',
    ),
  },
  {
    motif: 'path',
    paint: DAWN,
    caption: words('Paso a paso', 'Step by step', 'Pas à pas'),
    alt: words(
      'Un camino ancho por un campo de tonos cálidos, al amanecer.',
      'A broad path through a field in warm tones at daybreak.',
      'Un large chemin dans un champ aux tons chauds, au lever du jour.',
    ),
  },
  {
    motif: 'stars',
    paint: DUSK,
    caption: words('La primera estrella', 'The first star', 'La première étoile'),
    alt: words(
      'Las primeras estrellas en un cielo rosado, sobre un bosque de pinos.',
      'The first stars in a pink sky above a pine wood.',
      'Les premières étoiles dans un ciel rose, au-dessus d’une forêt de pins.',
    ),
  },
  {
    motif: 'blossom',
    paint: DAY,
    caption: words('Flores de febrero', 'February flowers', 'Fleurs de février'),
    alt: words(
      'Flores blancas de cinco pétalos en ramas finas, contra el azul.',
      'White five-petaled flowers on slender branches against the blue.',
      'Des fleurs blanches à cinq pétales sur de fines branches, sur fond bleu.',
    ),
  },
  {
    motif: 'boat',
    paint: DAWN,
    caption: words('Calma', 'Calm', 'Calme'),
    alt: words(
      'Una barca sola en un agua sin olas, con la primera luz.',
      'A single boat on waveless water in the first light.',
      'Une barque seule sur une eau sans vagues, aux premières lueurs.',
    ),
  },
  {
    motif: 'arch',
    paint: ROSE,
    caption: words('El patio', 'The courtyard', 'La cour'),
    alt: words(
      'Un arco en una pared rosada; al otro lado, lomas y un sol blanco.',
      'An archway in a rose-colored wall; beyond it, low hills and a white sun.',
      'Une arche dans un mur rose ; au-delà, des collines et un soleil blanc.',
    ),
  },
  {
    motif: 'village',
    paint: NIGHT,
    caption: words('El pueblo duerme', 'The village sleeps', 'Le village dort'),
    alt: words(
      'Un pueblo azul bajo la luna, con pocas luces en las ventanas.',
      'A blue village under the moon, few lights in its windows.',
      'Un village bleu sous la lune, peu de lumières aux fenêtres.',
    ),
  },
  {
    motif: 'trunks',
    paint: DAY,
    caption: words('El bosque respira', 'The wood breathes', 'Le bois respire'),
    alt: words(
      'Troncos verdes y rectos, unos tras otros, en una luz fría.',
      'Straight green trunks, one behind another, in a cool light.',
      'Des troncs verts et droits, les uns derrière les autres, dans une lumière froide.',
    ),
  },
  {
    motif: 'lighthouse',
    paint: DUSK,
    caption: words('A la vista', 'In sight', 'En vue'),
    alt: words(
      'Un faro encendido frente a un mar malva, poco después de ponerse el sol.',
      'A lit lighthouse by a mauve sea, shortly after sunset.',
      'Un phare allumé face à une mer mauve, peu après le coucher du soleil.',
    ),
  },
]
