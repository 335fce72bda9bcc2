/** Words of statements that are capitalised like names, in the languages of our readers: never part of a name. */
export const STATEMENT_WORDS = `
  abend abo abonnement abrechnung abril abschlag abschluss account account-statement accounts acct activity adresse affitto agosto all
  alle alquiler aluguel amount and anlage annual anteil anzahlung aout août app apr april aprile archive atm attachment auf auftrag
  auftraggeber august augustus ausgang auslagen auszahlung auszug auto avec avril backup bahn balance bank bankauszug banking
  bankstatement bargeld basislastschrift bedankt beitrag beleg beneficiaire bestellung betaling betrag bic bill billing birthday blz
  bonifico bonus booking breakfast bruttolohn buchung bus business bénéficiaire camt camt053 cap capital car card cards carte cash
  cashback central charge charges check cheque christmas coffee compra comptant compte conta conto copy cotisation course credit crédit
  csv cuenta current customer czynsz danke darlehen das data date datum dauerauftrag dd debit dec december decembre den deposit depot
  der desde details devise dezember dezembro dicembre diciembre die dienstag dimanche dinner direct dividend donnerstag donneur download
  draft débit décembre east easter echeance echtzeit echtzeitüberweisung eingang einkauf einzahlung electronic emetteur empfaenger
  empfänger end ende enero entgelt erstattung essen est estratto etat eur euro expenses export extract extracto extrait factura facture
  faktura fattura feb febbraio febrero februar februari february fee fees fevereiro fevrier file final flight flug folgelastschrift food
  for fps freitag friday from fuer février für garden garten gas gebuehr geburtstag gebühr gehalt gennaio geschenk gift giro girokonto
  giugno gracias grazie groceries gutschrift haben happy heizung het historia hochzeit holiday hotel husleje huur hyra iban info ingreso
  initial inkasso instant interest internet invoice jahr jahresabschluss jahresbeitrag jan janeiro januar januari january janvier jeudi
  juillet juin jul julho juli julio july jun june junho juni junio kaffee karte kartenzahlung kauf kaution kiitos konto kontoauszuege
  kontoauszug kontoauszüge kontoführung kontoudskrift kontoumsätze kontoutdrag konzert kosten kredit kreditkarte kunde kundennummer kurs
  las lastschrift lease left les lesson lessons lieferung list liste loan lohn lon los love loyer luglio lunch lundi lön løn lønn
  maaltijd maart maerz maggio mai maio mandat mandate mar march mardi mars marts marzo março may mayo mei merci mercredi miete
  mietzahlung mit mitglied mitgliedsbeitrag mittwoch mobil mobile monat monatlich monatsbeitrag monday montag month month-end monthly
  mouvements movement movements movimenti movimientos mt940 märz nebenkosten nettolohn neu new nomina nord norte north note nov november
  novembre noviembre nr number nummer nómina oct october octobre octubre ofx okt oktober online operacji order ordre ost ostern ottobre
  ouest outubro overboeking overføring overschrijving overview pagamento pago paiement parken parking part payment payments payout pdf
  pension person personal pix pos praemie prelevement present principal privat private prlv provision prämie prélèvement purchase qfx
  qif quartal quarter quittung quote rate raten rechnung ref reference referenz refund regular reimbursement reise rekening
  rekeningafschrift rekeningoverzicht releve relevé remittance rent rente report retour retrait right royal rueckzahlung rückerstattung
  rückzahlung saint salaire salario salary saldo salär samedi sammelüberweisung samstag san sankt santa saturday savings scan
  schlussrechnung seminar sent sep sepa sept september septiembre service services setembro settembre share sheet shopping signature
  signed soll sonntag south sparkonto spende spesen sta standing start statement statements steuer stipendio storno strom summary sunday
  sur svwz süd tack tag takk tan taschengeld tax taxi team thanks the thursday ticket tiliote titulaire to total train training trans
  transaction transactions transaktion transaktionen transfer transferencia travel trf trip tuesday txt uebertrag ueberweisung uhr
  umbuchung umsaetze umsatz umsatzliste umsätze und unterhalt upload urlaub urlaubsgeld usd utility valuta vendredi verkauf versicherung
  version vertrag verwendungszweck vir virement visa vom von vuokra wedding wednesday weekly weihnachten weihnachtsgeld west with
  withdrawal wohnung wyciąg xls xlsx xml year yearly your zahlung zahlungsausgang zahlungseingang zins zinsen zip zug zuschuss échéance
  émetteur överföring übertrag überweisung
`;

/** Words in the names of firms and public bodies. A name with one of them is not the name of a person. */
export const TRADE_WORDS = `
  academy agency agentur airline airlines airport airways akademie allianz amazon antiques apartment apartments apotek apotheke apple
  apteekki apteka arena asset assicurazioni associates association assurance assurances audit austria auto autohaus automobile baby
  baeckerei bakery bakkerij banca banco bank banka banken bankhaus banque bar baumarkt bausparkasse beauty betriebe bibliothek bike
  bistro bistrot books bookshop boucherie boulangerie boutique brasserie brauhaus brewery broker bros buchhandlung builders building
  bureau burger burgers bäckerei cafe café caisse caja camping capital care carwash casa casino catering center centre centrum chemist
  church cinema citizen city classic cleaning clinic clinica clothing club coiffure college comercial commerce communication
  communications community company computer concept construction consult consulting coop cooperative corner council credit creditunion
  cruises daycare dental design designs deutsche deutschland developer digital direct discount distribution drogerie eats ebay edition
  education electric electronics elektro elternverein energia energie energies energy engineering enterprise enterprises entertainment
  estate europe european event events express factory farm farma farmacia fashion feuerwehr finance financial finanz fire fish fitness
  fleisch flowers fondation food foods foundation france freight fund fundación furniture galerie gallery games garage garden gasthaus
  gasthof gastro gemeinde gemeinschaft gewerbe global google gourmet government green grill grocery group groupe gruppe gruppo
  guesthouse handel handels handelshaus hardware haus health healthcare hilfe hilfswerk holding holdings holidays home homes hospital
  hostel hotel hotels house housing hypo hôpital iberia immobilien import industrie industries institut institute insurance
  international internet investment investments kasse kaufhaus kaufland kebab kfz kindergarten kino kirche klinik klinikum krankenhaus
  krankenkasse kreditbank kreis labs land landesbank laundry leasing library licht loan loans logistics logistik loterij lotterie lounge
  magasin magazine mairie maler management market marketing markt mart maschinen mechanics media medical medicine metro ministry
  mobility mode moebel motel motor motors museum music musik mutua mutual mutuelle möbel nachrichten national nature network networks
  news office officine online optic optics optik organisation organization outlet paper paris park parkhaus parking partner partners
  party pay paypal pension petrol pflege pharma pharmacie pharmacy photo physio pizza pizzeria plus police post power press primark
  print pro production products properties property pub publishing radio rail railway realestate rental rentals repair resort
  restauracja restaurant restaurante retail ristorante royale sales salon savings school schule schwimmunion security service services
  shipping shoes shop shopping shops signs society société sofa software solar solutions spa sparkasse spedition spielwaren sport sports
  staatsloterij stadt stadtgemeinde stadtwerke station store stores street studio studios supermarché supermarket supermarkt
  supermercado supplies surgery systeme systems sécurité tabak tank tankstelle taxi tech technik technologies technology tele telecom
  telefon telekom television theater theatre tickets tobacco tool tools tour tourism tours town toys trade traders trading trafik
  transport transports trattoria travel trust trésor tui tv union united universal universidad universitaet universite university
  universität université utilities vending ventures verband verein verkehr verkehrsbetriebe verlag vermögen versand versicherung
  versicherungen vertrieb video village vodafone volksbank warehouse wash water web wein werbung werk werke werkstatt wholesale wine
  wines wohnbau works world worldwide zahlungen zeitung zentrale zentrum zoo
`;

/** Those of them that no person is called: also without a legal form, a name with one of them belongs to an organisation. */
export const INSTITUTION_WORDS = `
  academy agency airline airlines airport airways apartments apotek apotheke apteekki apteka assicurazioni association assurance
  assurances audit autohaus bakeries banca banco bank banka banken bankhaus banque baumarkt bausparkasse bibliothek bookshop brasserie
  brauhaus brewery caisse casino catering centre centrum cinema clinic clinica college communications company computer concept
  construction consulting coop cooperative deutschland distribution drogerie electric electronics elektro elternverein energia energie
  energies energy engineering enterprise enterprises entertainment farmacia fashion feuerwehr finance financial fondation foundation
  freight fund fundación furniture galerie gallery garage gasthaus gasthof global group groupe gruppe gruppo handels handelshaus
  hardware healthcare hilfswerk holding holdings hospital hostel hotel hotels hypo hôpital immobilien industrie industries institut
  institute insurance international investment investments kaufhaus kindergarten klinik klinikum krankenhaus krankenkasse laundry
  leasing library logistics logistik loterij lotterie magasin mairie management market marketing markt maschinen media medical ministry
  mutua mutual mutuelle network networks organisation organization outlet paypal pharma pharmacie pharmacy pizzeria products properties
  property publishing railway realestate rental rentals repair resort restaurant restaurante retail ristorante salon savings school
  schule security services shop shopping software solar solutions sparkasse spedition staatsloterij stadtgemeinde stadtwerke stores
  studio studios supermarché supermarket supermarkt supermercado supplies systeme systems tankstelle technik technologies technology
  telecom telekom theater theatre tickets tourism tours traders trading trafik transport transports universidad universitaet universite
  university universität université utilities ventures verband verein verkehrsbetriebe verlag versand versicherung versicherungen
  vertrieb volksbank volkshochschule warehouse werke werkstatt wholesale wohnbau worldwide zentrale zentrum
`;

/** Ends of compound words in the names of firms, as in `Drogeriemarkt`. */
export const TRADE_ENDINGS = `
  anstalt apotheke bank banken betriebe brauerei gemeinde gesellschaft handel haus kasse kirche klinik krankenhaus laden markt museum
  schule shop sparkasse station stiftung technik verband verein verlag versicherung versicherungen verwaltung werk werke werkstatt
  zentrum
`;
