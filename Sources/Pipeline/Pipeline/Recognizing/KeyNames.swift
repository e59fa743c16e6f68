/// The names under which exports have the values that `paidline init --from` looks for.
enum KeyNames {
  /// The usual names of each value in exports, the preferred name first.
  ///
  /// The names are in lower case, without characters such as `_`. They are compared with the last
  /// part of a path: `event.user_id` has the name `userid`.
  static let all: [String: [String]] = [
    "customer_id": [
      "customerid", "appuserid", "customeruserid", "userid", "accountid", "uid", "customer", "user",
      "kunde", "kundenid", "kundennummer", "nutzer", "nutzerid", "benutzer", "client", "clientid",
      "utilisateur", "cliente", "usuario", "distinctid", "applicationusername",
    ],
    "received_at": [
      "receivedat", "fetchedat", "validatedat", "verifiedat", "checkedat", "createdat", "updatedat",
      "insertedat", "timestamp",
    ],
    "response": [
      "response", "data", "body", "payload", "result", "receiptresponse", "appleresponse",
      "responsebody", "rawresponse", "verifyresponse", "validationresponse", "receiptjson",
      "receipt",
    ],
    "product_id": [
      "productid", "productidentifier", "vendorproductid", "sku", "skuid", "product", "iapid",
      "produkt", "produktid", "produit", "producto", "prodotto", "planid", "plan",
    ],
    "price": [
      "purchasepriceinpurchasedcurrency", "priceinpurchasedcurrency", "pricelocal", "localprice",
      "price", "priceamount", "amount", "preis", "betrag", "prix", "montant", "precio", "importe",
      "prezzo", "localizedprice", "displayprice", "formattedprice", "pricestring", "pricelabel",
      "label",
    ],
    // Prices in other units than the main one, by the name of the unit in pipelines.
    "minor": [
      "pricecents", "amountcents", "priceincents", "amountincents", "cents", "priceminor",
      "amountminor", "priceminorunits", "amountminorunits",
    ],
    "thousandth": ["pricemilliunits", "priceinmilliunits", "amountmilliunits"],
    "micro": [
      "pricemicros", "priceinmicros", "priceamountmicros", "amountmicros", "revenuemicros",
    ],
    "currency": [
      "currency", "currencycode", "pricecurrency", "währung", "waehrung", "devise", "moneda",
      "valuta",
    ],
    // The currencies of prices with names of local prices.
    "local currency": [
      "purchasedcurrency", "localcurrency", "currencylocal", "localcurrencycode", "currency",
      "currencycode", "pricecurrency",
    ],
    "reported_at": [
      "reportedat", "reportedatms", "purchasedat", "purchasedatms", "purchasedate",
      "purchasedatems", "purchasetime", "transactiondate", "transactiontime", "eventtime",
      "eventtimestamp", "occurredat", "boughtat", "paidat", "orderdate", "startedat",
      "timestamp", "originaltimestamp",
      "ts", "time", "createdat", "created", "insertedat", "receivedat", "date", "updatedat", "zeit",
      "zeitpunkt", "datum", "kaufdatum", "fecha", "data",
    ],
    "platform": [
      "platform", "store", "os", "osname", "plattform", "plateforme", "plataforma", "piattaforma",
      "provider", "paymentprovider",
    ],
    "event": ["event", "eventname", "eventtype"],
    "environment": ["environment"],
    "transaction_id": [
      "transactionid", "transactionidentifier", "storetransactionid", "appletransactionid",
      "appstoretransactionid", "transaction", "transaktion",
      "transaktionsid", "transacción", "transazione",
    ],
    "storefront": [
      "storefront", "storecountry", "storefrontcountrycode", "storecountrycode",
      "appstorecountry", "storefrontcountry", "countrycode", "country", "countryiso",
      "land", "ländercode", "laendercode", "pays", "país", "pais", "paese",
    ],
  ]

  /// The names under which databases write a value with its type: Firestore's `created._seconds`,
  /// Parse's `created.iso`, MongoDB's `price.$numberDecimal`, DynamoDB's `user.S`.
  static let types: Set<String> = [
    "seconds", "iso", "date", "oid", "numberlong", "numberint", "numberdecimal", "numberdouble",
    "s", "n",
    "stringvalue", "integervalue", "doublevalue", "timestampvalue",
  ]
}
