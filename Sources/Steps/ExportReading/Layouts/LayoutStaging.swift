internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// The kind of a record in a price file.
private enum LayoutRecord {
  case report
  /// An event whose name shows that it has no price, or an event of another store.
  case otherEvent
  /// A purchase whose price was inferred by the service.
  case inferred
  /// A test purchase in the sandbox.
  case sandbox
}

/// Prefixes of the names of other systems and stores.
private let otherSystems: [StaticString] = [
  "android", "google", "play", "amazon", "stripe", "paddle", "web", "windows", "linux", "huawei",
  "appgallery", "samsung", "galaxy", "xiaomi", "roku", "steam", "rcbilling", "promotional",
]

/// Prefixes of the names of Apple's systems and store.
private let appleSystems: [StaticString] = [
  "ios", "ipados", "iphone", "mac", "tvos", "watchos", "visionos", "apple", "appstore", "itunes",
]

extension RecordReader {
  /// Reads a record by the layout; returns false if all its reports repeat earlier reports.
  ///
  /// The own form is read strictly. If such a record has neither a product nor a price, its payload
  /// is read, such as the object `data`.
  mutating func readLayoutRecord(_ cursor: inout JSONCursor) throws(JSONFault) -> Bool {
    guard var reader = layout.take() else {
      preconditionFailure("the pipeline entry must have a layout")
    }
    defer { layout = reader }
    let record = cursor
    reader.begin(isStrict: isOwnForm)
    try reader.read(&cursor)
    guard cursor.isAtEndOfText() else { throw cursor.invalid() }
    guard reader.hasEnvelope, reader.values[.product] == nil, reader.values[.price] == nil else {
      return try stageFound(&reader)
    }
    cursor = record
    reader.begin()
    do throws(JSONFault) {
      try reader.read(&cursor)
      return try stageFound(&reader)
    } catch {
      guard error.reason == .priceWithoutProduct else { throw error }
      throw JSONFault(reason: error.reason, offset: 0, key: reader.layout.key(of: .product))
    }
  }

  /// Reads a table row by the layout; returns false if it repeats an earlier report.
  mutating func readLayoutRow(_ cells: TableCells, _ row: JSONCursor) throws(JSONFault) -> Bool {
    guard var reader = layout.take() else {
      preconditionFailure("the pipeline entry must have a layout")
    }
    defer { layout = reader }
    reader.begin()
    try cells.forEachWanted(in: row) { (cell, edge) throws(JSONFault) in
      try reader.take(cell, at: edge)
    }
    return try stageFound(&reader)
  }

  /// Adds the reports that the reader has found in a record to ``set``; returns false if none of
  /// them is new.
  ///
  /// Each report of a list is handled separately: a record is used if any of its reports is usable.
  private mutating func stageFound(_ reader: inout LayoutReader) throws(JSONFault) -> Bool {
    guard reader.hasList else { return try stageOne(&reader) }
    var (isNew, isRead) = (false, false)
    var faults: [JSONFault] = []
    try reader.forEachReport { (reader) throws(JSONFault) in
      let mark = StagingMark(set: set)
      do throws(JSONFault) {
        if try stageOne(&reader) { isNew = true }
        isRead = true
      } catch {
        mark.restore(&set)
        faults.append(error)
      }
    }
    if let first = faults.first, !isRead { throw first }
    for fault in faults {
      notices.rejectedReports += 1
      keep(Reject(line: line, reason: fault.reason, detail: fault.key))
    }
    return isNew
  }

  /// Adds one report to ``set``; returns false if it repeats an earlier report.
  ///
  /// `context` is the record around a report; `nil` for the record of a price file, which may be
  /// another event.
  mutating func stageOne(
    _ reader: inout LayoutReader, in context: ReportContext? = nil
  ) throws(JSONFault) -> Bool {
    let (layout, unit, isStrict) = (reader.layout, reader.unit, reader.isStrict)
    let sources = isStrict ? nil : reader.sources
    return try reader.withText { (values, lists, cursor) throws(JSONFault) in
      let record = context == nil ? try record(values, cursor, layout) : .report
      if let sources { addPreview(values, cursor, sources: sources, isReport: record == .report) }
      switch record {
      case .otherEvent:
        notices.otherEvents += 1
        if notices.firstOtherEvent.isEmpty {
          notices.firstOtherEvent = cursor.otherEvent(values, layout)
        }
      case .inferred: notices.inferredPrices += 1
      case .sandbox: notices.sandboxReports += 1
      case .report:
        if let mark = values.mark, values[.price] != nil {
          throw JSONFault(reason: .priceUnnamedFormat, offset: 0, key: FormatMark.label(mark))
        }
        let own = isStrict ? try ownOffers(values, lists, cursor, layout) : nil
        do throws(FieldFault) {
          let offers =
            if let own { own } else { try formatOffers(values, lists, cursor, layout) }
          return try stage(
            values, offers: offers, cursor, layout, unit: unit, in: context ?? ReportContext())
        } catch {
          let field = error.key.flatMap(LayoutField.init(rawValue:))
          let key = field.map { isStrict ? layout.key(of: $0) : layout.pathText(of: $0) } ?? ""
          throw JSONFault(
            reason: error.reason, offset: 0, key: field == .offerID ? "offers" : key)
        }
      }
      return true
    }
  }

  /// Reads the offers of the own form, each of which must be whole.
  private mutating func ownOffers(
    _ values: LayoutValues, _ lists: [OfferScalars], _ cursor: JSONCursor, _ layout: PriceLayout
  ) throws(JSONFault) -> [OfferPrice] {
    var bare = values.introductory
    bare.isIntroductory = true
    var offers: [OfferPrice] = []
    for scalars in lists + (bare.price == nil ? [] : [bare]) {
      do throws(FieldFault) {
        if let offer = try ownOffer(scalars, cursor) { offers.append(offer) }
      } catch {
        let introductory = layout.key(of: .introPrice)
        let list = scalars.isIntroductory ? introductory : layout.table.paths[Int(scalars.list)]
        let field = error.key.flatMap(LayoutField.init(rawValue:))
        let name = field == .price ? "price" : field.map(layout.key(of:)) ?? ""
        let isBare = scalars.isIntroductory && !scalars.isObject
        throw JSONFault(
          reason: error.reason, offset: 0,
          key: isBare
            ? (field == .price ? introductory : name) : name.isEmpty ? list : "\(list).\(name)")
      }
    }
    return offers
  }

  private mutating func record(
    _ values: LayoutValues, _ cursor: JSONCursor, _ layout: PriceLayout
  ) throws(JSONFault) -> LayoutRecord {
    if let scalar = values[.platform],
      layout.isPlatformCertain ? !cursor.isOfApple(scalar) : cursor.isOfOtherStore(scalar)
    {
      return .otherEvent
    }
    if let scalar = values[.event], !layout.events.isEmpty {
      if layout.inferred.contains(where: { cursor.isText(scalar, $0) }) { return .inferred }
      guard layout.events.contains(where: { cursor.isText(scalar, $0) }) else {
        return .otherEvent
      }
    }
    if let scalar = values[.environment], !cursor.beginsWithProd(scalar) { return .sandbox }
    return .report
  }

  /// Reads the offers of a format, and leaves out those that it cannot understand.
  private mutating func formatOffers(
    _ values: LayoutValues, _ lists: [OfferScalars], _ cursor: JSONCursor, _ layout: PriceLayout
  ) throws(FieldFault) -> [OfferPrice] {
    var offers: [OfferPrice] = []
    var own: Period?
    if let scalar = values[.period] { own = try? self.period(scalar, cursor) }
    if own == nil {
      own = try period(unit: values[.periodUnit], count: values[.periodUnits], cursor)
    }
    let terms = OfferTerms(
      own: own, isWhole: layout.isWholeOffer, hasIntroPriceAlone: layout.hasIntroPriceAlone)
    var introductory: OfferPrice?
    if values[.introPrice] != nil {
      introductory = try offer(values.introductory, terms, cursor, isIntroductory: true)
    }
    let single = values.offer
    for scalars in lists + (single.price == nil ? [] : [single]) {
      let isIntroductory = scalars.kind.map { cursor.isText($0, "introductory") } ?? false
      guard let offer = try offer(scalars, terms, cursor, isIntroductory: isIntroductory) else {
        continue
      }
      if isIntroductory { introductory = offer } else { offers.append(offer) }
    }
    if let introductory { offers.append(introductory) }
    return offers
  }

  /// The product's terms that determine how its offers are read.
  private struct OfferTerms {
    /// The billing period of the subscription.
    var own: Period?
    /// Whether an offer's period is the length of the whole offer, not one billing period.
    var isWhole: Bool
    /// Whether the format has no more of an introductory offer than its price.
    var hasIntroPriceAlone: Bool
  }

  /// Reads an offer; `nil` if a needed value is missing or contradicts another value.
  private mutating func offer(
    _ scalars: OfferScalars, _ terms: OfferTerms, _ cursor: JSONCursor, isIntroductory: Bool
  ) throws(FieldFault) -> OfferPrice? {
    guard let price = scalars.price else { return nil }
    let amount = try fields.amount(price, in: cursor)
    var count: Int64?
    if let scalar = scalars.periods { count = try fields.integer(scalar, in: cursor) }
    var period: Period?
    if let scalar = scalars.period { period = try? self.period(scalar, cursor) }
    if period == nil {
      period = try self.period(unit: scalars.unit, count: scalars.units, cursor)
    }
    var named: PaymentMode?
    if let scalar = scalars.mode { named = try? paymentMode(scalar, cursor) }
    var id: Symbol?
    if !isIntroductory, let scalar = scalars.id { id = try fields.symbol(scalar, in: cursor) }
    // Without a payment mode: a price of 0 is a trial. Several periods are paid as you go, and so
    // is a single period as long as the subscription's.
    let inferred: PaymentMode? =
      if let count, count > 1 {
        .payAsYouGo
      } else if let own = terms.own, let period {
        own == period ? .payAsYouGo : .payUpFront
      } else if isIntroductory, terms.hasIntroPriceAlone {
        // A row that is as long as the subscription's period costs this price in either mode.
        .payAsYouGo
      } else {
        nil
      }
    // Without an offer, such a format has 0.
    if isIntroductory, terms.hasIntroPriceAlone, amount == .zero { return nil }
    guard let mode = amount == .zero ? .freeTrial : named ?? inferred,
      (mode == .freeTrial) == (amount == .zero), (1...12_000).contains(count ?? 1),
      isIntroductory || id != nil
    else {
      notices.undecidedOffers += 1
      return nil
    }
    if terms.isWhole, let whole = period {
      // For pay as you go, converts the whole length into a number of the subscription's own
      // periods.
      if mode == .payAsYouGo, let own = terms.own, own.unit == whole.unit,
        whole.count % own.count == 0
      {
        (count, period) = (Int64(whole.count / own.count), own)
      } else {
        count = 1
      }
    }
    return OfferPrice(
      offerID: id.map(OfferID.init), price: amount, paymentMode: mode,
      numberOfPeriods: count.map { Int32(clamping: $0) }, period: period)
  }

  /// Reads a period from a unit and the number of units; `nil` without a unit.
  ///
  /// Without a number, the period is one unit.
  private mutating func period(
    unit: Scalar?, count: Scalar?, _ cursor: JSONCursor
  ) throws(FieldFault) -> Period? {
    guard let unit else { return nil }
    return try period(unit: unit, count: count, in: cursor)
  }

  private mutating func addPreview(
    _ values: LayoutValues, _ cursor: JSONCursor, sources: [String], isReport: Bool
  ) {
    var preview = PreviewedRecord(line: line, isUsed: isReport)
    // A mark is a price that is not read.
    for field in LayoutField.allCases where field != .mark {
      guard let scalar = values[field] else { continue }
      let text = unsafe String(decoding: cursor.bytes(scalar), as: UTF8.self)
      preview.fields.append(
        .init(name: field.name, text: text, source: sources[Int(field.rawValue)]))
    }
    previews.note(preview)
  }
}

extension JSONCursor {
  /// Returns a description of an event that is not a price report.
  ///
  /// Examples: `the event session_start`, `the platform Android`.
  func otherEvent(_ values: LayoutValues, _ layout: PriceLayout) -> String {
    let isOther = values[.platform].map { !isOfApple($0) } ?? false
    guard let scalar = isOther ? values[.platform] : values[.event] else { return "" }
    return isOther ? platformText(scalar) : eventText(scalar)
  }

  /// Returns the description of an event: `the event session_start`.
  func eventText(_ scalar: Scalar) -> String { "the event \(shortText(scalar))" }

  /// Returns the description of another store: `the platform Android`.
  func platformText(_ scalar: Scalar) -> String { "the platform \(shortText(scalar))" }

  private func shortText(_ scalar: Scalar) -> String {
    unsafe String(decoding: bytes(scalar).prefix(64), as: UTF8.self)
  }

  /// Returns true if a text begins with the name of another system or store: `PLAY_STORE`.
  func isOfOtherStore(_ scalar: Scalar) -> Bool {
    let text = unsafe bytes(scalar).span
    return otherSystems.contains { isName(text, $0, isWhole: false) }
  }

  /// Returns true if the bytes of a scalar, with unresolved escapes, equal a text.
  func isText(_ scalar: Scalar, _ text: String) -> Bool {
    unsafe bytes(scalar).elementsEqual(text.utf8)
  }

  /// Returns true if a text begins with the name of Apple's system or store: `iOS`, `APP_STORE`,
  /// `Mac OS X`.
  func isOfApple(_ scalar: Scalar) -> Bool {
    let text = unsafe bytes(scalar).span
    return appleSystems.contains { isName(text, $0, isWhole: false) }
  }

  /// Returns true if a text begins with `prod` in any case, like the names of production
  /// environments.
  func beginsWithProd(_ scalar: Scalar) -> Bool {
    guard scalar.length >= 4 else { return false }
    return word(at: Int(scalar.start)) & 0xFFFF_FFFF | 0x2020_2020 == 0x646F_7270
  }
}
