/**
 * Well-known names of businesses and public services in Europe and North America, as they begin on statements, separated by commas.
 * Words that people are called too are in the second list.
 */
export const MERCHANTS = `
  3 danmark, 7-eleven, a.t.u, a1 telekom, a2a, adidas, adobe, adobe creative, adobe systems, aegean airlines, aer lingus, aeroflot,
  agip, ah to go, air europa, air france, airbnb, alaska air, albert heijn, albertsons, alcampo, aldi, aldi nord, aldi sued, aldi süd,
  aliexpress, alko, allegro, allegro.pl, allianz, allstate, alnatura, alsa, altex, amazon, amazon de, amazon prime, amc theatres, ameli,
  american airlines, american eagle, american express, amtrak, amundi, amzn, amzn digital, amzn mktp, anglian water, anthropic, aok,
  apcoa, apotea, apoteket, apple, apple com bill, apple store, apple.com/bill, applebee's, aprr, arby's, arco, ard zdf, ard zdf dradio,
  argos, argos ltd, arket, arlanda express, arriva, arriva bus, asda, asda superstore, asfinag, ask italian, asos, asus, at&t, at&t
  bill, atac, atlassian, atm milano, att, att bill, auchan, auchan drive, audi, audible, austrian airlines, autogrill, autolib,
  autostrade, avanti west coast, avia, aviva, aws emea, axa, axfood, b & m, b & q, b&m, b&q, bakker bart, barceló, barmer, baskin
  robbins, bath & body works, bauhaus, bbc, bed bath & beyond, belastingdienst, ben & jerry's, benu apotheek, bershka, best buy, best
  western, biedronka, bijenkorf, bilka, bill's restaurant, billa, biltema, biocoop, bipa, bkk vbu, blablacar, blizzard, blokker, blue
  bottle coffee, bmw, bofrost, bol com, bol.com, bolt eu, boohoo, booking com, boots, boots the chemist, boots uk, bouygues, bouygues
  telecom, bp, brack, brico, brico dépôt, bricomarché, british airways, british gas, brussels airlines, bt group, budget energie, budget
  rent a car, buffalo wild wings, bulb energy, bupa, burger king, burgerme, butlers, bvg, bvg app, c&a, caffe nero, caffè nero,
  calzedonia, campanile, canal+, canva, carglass, carrefour, carrefour city, carrefour express, carrefour italia, carrefour market,
  carvana, casino shop, casino supermarche, castorama, center parcs, centra, centraal beheer, cercanias, chatgpt, cheesecake factory,
  chevron, chick-fil-a, chili's, chipotle, chipotle mexican, churchill insurance, cinema city, cinemaxx, cineworld, circle k, cjib, clas
  ohlson, cloudflare, co-op, co-op group, coca cola, cofiroute, colissimo, colruyt, comcast, comcast cable, con edison, conad, coned,
  conforama, congstar, connexxion, consum, continente, coolblue, coop, coop obs, coop sverige, cooperative food, costa coffee, costco,
  costco gas, costco whse, costcutter, cote brasserie, council tax, cpam, crocs, cross country, css versicherung, currys, currys online,
  cvs, cvs pharmacy, cvs/pharmacy, cyberport, cz groep, czech airlines, daimler, dallmayr, dart charge, darty, david lloyd leisure, db
  bahn, db fernverkehr, db vertrieb, debeka, debenhams, decathlon, deezer, deka markt, dekamarkt, delhaize, deliveroo, dell, delta air,
  delta air lines, denn's, denn's biomarkt, denner, deutsche bahn, deutsche post, deutsche telekom, dfds, dgfip, dhl, dhl express, dhl
  paket, digitalocean, digitec, dille & kamille, dino polska, direct energie, direct line, dirk, dirk vd broek, discord, disney plus,
  disneyland, dkv, dm drogerie, dm drogeriemarkt, dm fil, dm-drogerie, dm-drogerie markt, docusign, dollar general, dollar tree,
  domino's, domino's pizza, doordash, dorint, douglas parfümerie, dpd, dr. martens, dreamhost, dropbox, dsb, dufry, duke energy, dunelm,
  dunkin, dunkin donuts, dunnes, dunnes stores, duo hoofdrekening, duolingo, dvla, e.leclerc, e.on, ea games, easy jet, easyjet, eataly,
  ebay, edeka, edf, edf energy, edp, edreams, ee limited, eismann, ekoplaza, el corte inglés, electronic arts, elgiganten, emirates,
  empik, enbw, eneco, enel, enel energia, engie, eni plenitude, eni station, enterprise rent, enterprise rent-a-car, eon energie, epic
  games, equinox, ernsting's family, escota, esprit, esselunga, essent, esso, etam, etihad, etsy, euro disney, euronics, eurospin,
  eurosport, eurostar, eurowings, evernote, ewz, expedia, exxon, exxonmobil, facebk, facebook, family dollar, farfetch, farmfoods,
  fastned, fastweb, fedex, feltrinelli, ferratum, feu vert, figma, finnair, first bus, fitinn, fitness first, fitnessfirst, fitx, five
  guys, fiverr, flaconi, fleurop, flink, flixbus, flixtrain, flying tiger, fnac, food lion, foodora, foot locker, ford motor, formido,
  fortnum & mason, fortum, fotex, fotokasten, franco manca, franprix, free mobile, free telecom, freenet, freshbooks, freshdirect,
  fressnapf, frisco, fuller's, føtex, g2a, galaxus, galeria karstadt, galeria kaufhof, galeries lafayette, gall & gall, gall en gall,
  galp, gamestop, gamma, gamma bouwmarkt, gap outlet, gaumont, geico, gema, gemeente amsterdam, geox, getaround, getir, getyourguide,
  giant eagle, giffgaff, gifi, gis gebühren, github, gitlab, glovo, gls, gmf, go daddy, go-ahead, godaddy, google, google ads, google
  cloud, google one, google payment, google play, google storage, google workspace, gopuff, grammarly, grand frais, great northern,
  great western railway, greenchoice, greene king, greenpeace, groupama, groupon, grubhub, gvb, gwr, gymshark, h & m, h hennes &
  mauritz, h&m, h-e-b, hagebau, hagebaumarkt, halfords, hampton by hilton, hampton inn, harmonie mutuelle, harrods, hastings direct,
  hbo, hbo max, hbomax, headspace, heb, hello fresh, hellofresh, helpling, helsana, hemköp, hera comm, heroku, hertz rent, hesburger,
  hetzner, hetzner online, hm revenue, hmrc, ho mobile, hobbycraft, hofer kg, holiday inn, holland & barrett, hollandsnieuwe, hollister,
  home bargains, home depot, homebase, honest burgers, hoogvliet, hostinger, hotels com, house of fraser, hp instant ink, hsl, htm,
  hubspot, huel, huk coburg, huk-coburg, hulu, humble bundle, hvv, hy-vee, hyper u, iberdrola, iberia, iberostar, ibis, ibis styles,
  ica, ica maxi, ica nära, ica supermarket, iceland foods, idealo, ihop, ikea, ikea ltd, iliad, impots, in-n-out, ing diba, inpost,
  inps, instacart, intercity hotel, interflora, intermarche, intermarché, interpolis, interrail, intersport, intratuin, intuit, ionity,
  ip gruppo api, iperal, ipercoop, irish life, irish rail, irs, italo treno, itsu, itunes, itv, j d wetherspoon, jack & jones, jack in
  the box, jakdojade, jd sports, jd wetherspoon, jet, jet tankstelle, jet2, jet2holidays, jetblue, jetbrains, joe & the juice, jumbo,
  jumbo supermarkten, just eat, justeat, justpark, jysk, k market, k-citymarket, k-market, k-supermarket, karwei, kaufland, kaufland
  polska, kayak, keolis, kfc, kiabi, kik textilien, kindle svcs, kinepolis, kingfisher, kiwi, kiwi com, klarna, klm, kobo, kotipizza,
  kpn, krispy kreme, kroger fuel, kruidvat, kvb, kwantum, kwik fit, kwik-fit, la banque postale, la halle, la poste, la redoute,
  ladbrokes, lastminute com, lastpass, leader price, lebara, lefties, lego, leon restaurants, lewiatan, liberty mutual, lidl, lidl
  connect, lidl france, lidl sp, lieferando, linkedin, linode, littlewoods, lloyds pharmacy, lner, logitech, london underground,
  longchamp, lot polish airlines, love's travel, lowe's, lucidchart, lufthansa, lul ticket, lululemon, lush, lv insurance, lycamobile,
  lyft, lyft ride, m&s, m&s simply food, maaf, macdonald's, macif, maif, mail boxes etc, mailchimp, maisons du monde, makro, malakoff,
  manor ag, marionnaud, marks & spencer, marks and spencer, marks&spencer, matalan, matas, matmut, maxi zoo, mc donald's, mc donalds,
  mcafee, mcdonald s, mcdonald's, mcdonalds, media expert, media markt, mediamarkt, mediaset, mediaworld, megekko, meijer store, meliá,
  menzis, mercadolibre, mercadona, mercedes-benz, mercure, merkur markt, mestdagh, meta platforms, metro bank, metro cash, metro de
  madrid, mgen, michaels stores, micro center, microsoft, microsoft 365, microsoft store, migrol, migros, miles & more, millenium bcp,
  miniso, minuteclinic, mitchells & butlers, mittwald, mobilcom, mobilezone, moia, momox, mondadori, mondial relay, monoprix, moonpig,
  morrisons, motel one, motonet, movistar, mozilla, mpk, mpreis, mr bricolage, mr price, mr. bricolage, msft, mueller drogerie,
  multikino, mvg, mvv, myprotein, mytheresa, müller drogeriemarkt, nah&gut, namecheap, nando's, nandos, national express, national grid,
  national lottery, national rail, national trust, nationale nederlanden, natural grocers, naturalia, nature et découvertes, naturgy,
  navigo, ncp, nespresso, neste, netcup, netflix, netflix com, netflix.com, netlify, netto, netto marken-discount, nettorama, new look,
  new york times, next retail, nflx, nh hotels, nintendo, nkd, nordsee, nordstrom, nordvpn, northern rail, norwegian air, nos
  comunicacoes, notion labs, novotel, nowtv, npower, ns groep, ns international, ns reizigers, nsandi, nu3, nyt, o2, o2 uk, obb, obi,
  octopus energy, odeon, odeon cinema, odido, oebb, office depot, officemax, ohra, olive garden, omv, one.com, onedrive, openai, openai
  chatgpt, openrent, opodo, optical center, orange, orange espagne, orange polska, orlen, orlen stacja, otelo, otto gmbh, otto versand,
  ouigo, outback steakhouse, outfittery, ov-chipkaart, ovchipkaart, ovh, ovhcloud, ovo energy, ovs, oxfam, oysho, p&o ferries,
  pagerduty, pam panorama, panda express, panera, panera bread, papa john's, paperchase, paramount+, parcel2go, parship, patagonia,
  pathe, patty & bun, paybyphone, paypal, paypal europe, paysafecard, pc world, peacock, peapod, peek & cloppenburg, peloton, penneys,
  penny market, penny markt, pennymarkt, pepco, pepe jeans, pepephone, petco, petit bateau, pets at home, petsmart, pg&e, pge, pgnig,
  phillips 66, phone house, picard surgelés, picnic, picnic by buckaroo, picturehouse, pilot travel, pingo doce, pizza express, pizza
  hut, pizza pilgrims, pizzaexpress, pkn orlen, pkp intercity, planet fitness, playstation, pluralsight, plus supermarkt, plusnet, poco
  domäne, point s, pole emploi, polskie koleje, popeyes, post luxembourg, post office, postcode loterij, poste italiane, posteitaliane,
  postnl, postnord, poundland, poundstretcher, poundworld, praxis, premier inn, pressbyrån, pret, pret a manger, prezzo, primaprix,
  primark, prime video, printemps, prisma, progressive ins, proximus, ps store, publix, publix super, pull & bear, pull and bear, puma,
  pure gym, puregym, pzu, pôle emploi, q-park, q8, q8 italia, qatar airways, qbuzz, qpark, quickbooks, quiksilver, quiktrip, racetrac,
  rail europe, railcard, ralphs grocery, ratp, real sb-warenhaus, red bull, red by sfr, red cross, redbubble, redbull, redcare, reddit,
  reebok, regal cinemas, reichelt elektronik, rema 1000, renfe, renfe viajeros, repsol, revolut, rewe, rewe markt, ring com, ringgo,
  rite aid, ritter sport, ritz carlton, river island, rmv, roblox, roller möbel, rossmann polska, royal mail, rspb, rspca, rtl+, rtve,
  rundfunk ard, rundfunkbeitrag, rusta, ruter, ryanair, s market, s-bahn, s-market, s-pankki, safeway, sainsbury's, sainsburys,
  sainsburys sacat, saint maclou, saks fifth avenue, salesforce, salt mobile, salvation army, sam's club, sams club, samsung, sanef, sas
  ground, sas scandinavian, saturn, sbb, sbb cff ffs, scandic, scandlines, scotrail, scottish power, scottishpower, screwfix, sephora,
  seven eleven, severn trent, sfr, shake shack, sheetz, shein, shell, shell energy, shell nederland, shell oil, shell service, shopify,
  sigma sport, simpel, simply market, simplyhealth, simyo, ski data, sky digital, sky italia, sky subscription, sky uk, skype,
  skyscanner, slack, slack technologies, smarty, smyths, smyths toys, snapchat, snapfish, snappy snaps, sncb, sncf, sncf connect, sncf
  voyageurs, social security admin, societe des autoroutes, sonos, sony, sosh, southeastern, southern water, southwest air, southwest
  airlines, sp connect, spar, spar city, spar österreich, specsavers, speedway, sports direct, spotify, spotify ab, sprouts farmers,
  square enix, squarespace, ssp deutschland, st1, stagecoach, staples, star stacja, starbucks, starbucks coffee, starbucks store,
  starling bank, state farm, statoil, steam, steam games, steampowered, stokrotka, stop & shop, stradivarius, strato, strava, stripe,
  subway, sumup, sunoco, super casino, super u, superdrug, superdry, surfshark, svb, swapfiets, swatch, sweetgreen, swica, swiss air,
  swiss life, swisscom, switch energy, systembolaget, systeme u, système u, t-mobile, t.k. maxx, taco bell, takeaway com, talktalk,
  tamoil, tanger outlet, tap air portugal, target, tauron, tchibo, tcl, tdc, teamviewer, technikdirekt, techniker krankenkasse, tedi,
  tegut, tele2, telefonica, telefónica, telenet, telenor, telepass, telia, tempur, temu, tesco, tesco express, tesco extra, tesco metro,
  tesco pfs, tesco stores, tesla, tesla supercharger, texaco, texas roadhouse, tfl, tfl travel, tfl travel ch, tfl.gov.uk, thalys,
  thames water, thameslink, the body shop, the fork, the guardian, the gym, the gym group, the home depot, the range, the trainline, the
  ups store, thetrainline, three uk, thuisbezorgd, thuisbezorgd nl, ticketmaster, ticketswitch, tidal, tikkie, tiktok, tim spa,
  timberland, tinder, tinq, tisseo, tj maxx, tjx, tk maxx, tnt, toggl, tokmanni, toll collect, too good to go, toolstation, toom
  baumarkt, topps tiles, topshop, toscana energia, total access, total energies, totalenergies, toys r us, tractor supply, trader joe's,
  trader joes, trainline, transavia, transilien, transport for london, travelodge, trello, trenes, trenitalia, trenord, trip com,
  tripadvisor, tui deutschland, tui fly, tuifly, turbotax, turkish airlines, tv licence, tv licensing, twilio, twitch, twitter, u
  express, uber, uber eats, uber trip, ubereats, ubisoft, udemy, ugc, ugg, unibail, unicef, unieuro, uniqa, uniqlo, united air, united
  airlines, united states postal, united utilities, upc, upim, uplay, ups store, upwork, urban outfitters, urssaf, us postal, usps, usps
  po, uswitch, valero, vans, vapiano, vattenfall, vbb, veolia, vercel, verizon, verizon wireless, verizon wrls, verkkokauppa, vgn, vgz,
  victoria's secret, vimeo, vinci autoroutes, vinmonopolet, vinted, virgin active, virgin atlantic, virgin media, virgin mobile, virgin
  money, vistaprint, vitens, vivid seats, vodafone, vodafone it, vodafone ltd, voi technology, volg, volkswagen, volotea, volvo, vomar,
  vonage, vons, voxi, voyage privé, vrr, vtech, vue cinemas, vueling, wagamama, wahaca, waitrose, wal-mart, wal-mart supercenter,
  walgreens, walgreens store, walmart, wasabi, wasgau, waterstones, wawa, wayfair, weatherspoons, weeronline, wegmans, wehkamp, weight
  watchers, weltbild, western union, westfield, westin, wetherspoon, wework, wh smith, whole foods, whole foods market, wholefds,
  wholefoods, whsmith, wien energie, wiener linien, wiener netze, wiener städtische, wilko retail, willys, winco, wind tre, windtre,
  wingstop, wix, wix com, wix.com, wizz air, wizzair, wm morrison, wm morrisons, wm supercenter, wmf, wolt, woolworth, woolworths,
  wordpress, wsj, wyndham, xbox, xenos, xero, xerox, xfinity, xfinity mobile, xing, xxl sport, xxxlutz, yahoo, yello strom, yelp,
  yettel, ymca, yo sushi, yodel, yorma's, youfone, yousee, youtube, youtube premium, youtubepremium, zabka, zalando, zalando lounge,
  zapier, zara home, zara polska, zeeman, zeit online, zendesk, ziggo, ziggo services, zilveren kruis, zipcar, zizzi, zoom us, zoom
  video, zoom.us, zooplus, ztm, zulily, zvv, öbb, české dráhy, żabka
`;

/** Businesses that are called like people. They need more evidence. */
export const MERCHANTS_LIKE_PEOPLE = `
  alice, aral, avis, bolt, booths, calvin klein, citroen, claire's, clark's, dacia, deichmann, denny's, disney, dyson, ergo, etos,
  fielmann, fred perry, greggs, harvey nichols, hema, hertz, hilton, hofer, hornbach, hugo boss, hyatt, ivy, jacadi, jack wolfskin,
  jimmy john's, john lewis, karen millen, karstadt, kesko, kohl's, kroger, laura ashley, leroy merlin, levi's, louis vuitton, macy's,
  mango, marriott, massimo dutti, mercator, michael kors, miele, müller, nike, nissan, norma, oakley, oswald, otto, paddy power, paul,
  paul smith, penny, peugeot, philips, porsche, prada, ralph lauren, renault, rimi, rossmann, ryman, siemens, sixt, skoda, swarovski,
  ted baker, thalia, thomas cook, tim hortons, timpson, tom tailor, tommy hilfiger, toyota, travis perkins, vinci, vorwerk, wendy's,
  wickes, wilko, yves rocher, zara, škoda
`;
