/// A field that a layout can find in a record.
///
/// The raw value is the index of the field's value in ``LayoutValues``.
enum LayoutField: UInt8, CaseIterable, Sendable {
  case product, currency, price, total, quantity, time, customer, transaction, storefront
  case environment, appliedDiscount
  // The subscription's own period: `P1M`, or a unit and the number of units.
  case period, periodUnit, periodUnits
  case introPrice, introMode, introPeriods, introPeriod, introUnit, introUnits
  case offerPrice, offerMode, offerPeriods, offerPeriod, offerUnit, offerUnits, offerID
  /// The kind of an offer: `introductory`, or any other word for an offer with an id.
  case offerKind
  case event
  /// The system or store that a purchase was made on.
  case platform
  case app
  /// A key of another format in the same object as the price, such as `priceMicros`.
  ///
  /// If a record has such a key, its `price` may have another meaning. The rank of the value is the
  /// index of the key in ``FormatMark/all``.
  case mark

  /// The name of the field in the declaration of a format: `intro.price`.
  var name: String { Self.names[Int(rawValue)] }

  /// Finds the field with a name; `nil` for an unknown name.
  init?(name: String) {
    guard let place = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: UInt8(place))
  }

  /// The number of names of the first key of the own form, where a field has two keys: a time in
  /// milliseconds and a date, the ids of two systems, a storefront and a country.
  var firstNames: UInt16 {
    switch self {
    case .time, .customer: 3
    case .storefront: 1
    default: .max
    }
  }

  /// Whether a rank belongs to the field's second key.
  func isSecond(_ rank: UInt16) -> Bool { rank >= firstNames }

  private static let names = [
    "product_id", "currency", "price", "total", "quantity", "reported_at", "customer_id",
    "transaction_id", "storefront", "environment", "applied_discount", "period", "period.unit",
    "period.units", "intro.price", "intro.mode", "intro.periods", "intro.period", "intro.unit",
    "intro.units", "offer.price", "offer.mode", "offer.periods", "offer.period", "offer.unit",
    "offer.units", "offer.id", "offer.kind", "event", "platform", "bundle_id", "mark",
  ]
}

/// The values of a record, keyed by field, as ranges of one text.
struct LayoutValues {
  private var scalars = InlineArray<32, Scalar>(repeating: .absent)
  /// The order of each value: the rank of its path, then its depth; the lowest order wins.
  ///
  /// In Paidline's own format, outer values have a lower order than inner values; in all other
  /// formats, a higher order. A field without a value has the maximum.
  private var orders = InlineArray<32, UInt16>(repeating: .max)

  /// The value of a field; `nil` if it is absent.
  @inline(__always) subscript(field: LayoutField) -> Scalar? {
    let place = Int(field.rawValue)
    return orders[place] == .max ? nil : scalars[place]
  }

  /// Whether the first key of the time is that of milliseconds.
  var hasMilliseconds = false

  /// Whether the time was found under the key of milliseconds.
  var isTimeInMilliseconds: Bool {
    hasMilliseconds && !LayoutField.time.isSecond(orders[Int(LayoutField.time.rawValue)] >> 6)
  }

  /// The index in ``FormatMark/all`` of the mark that was found; `nil` without a mark.
  var mark: Int? {
    let order = orders[Int(LayoutField.mark.rawValue)]
    return order == .max ? nil : Int(order >> 6)
  }

  /// Returns true if a value with this order must replace the stored value of the field.
  @inline(__always) func takes(_ order: UInt16, for field: UInt8) -> Bool {
    order < orders[Int(field)]
  }

  /// Stores the value of a field.
  @inline(__always) mutating func keep(_ scalar: Scalar, order: UInt16, for field: UInt8) {
    scalars[Int(field)] = scalar
    orders[Int(field)] = order
  }

  /// Clears the values of an offer.
  mutating func forgetOffer() {
    for place in Int(LayoutField.offerPrice.rawValue)...Int(LayoutField.offerKind.rawValue) {
      orders[place] = .max
    }
  }

  /// The values of one offer that is in the record itself, or in an element of a list.
  var offer: OfferScalars {
    OfferScalars(
      price: self[.offerPrice], mode: self[.offerMode], periods: self[.offerPeriods],
      period: self[.offerPeriod], unit: self[.offerUnit], units: self[.offerUnits],
      id: self[.offerID], kind: self[.offerKind])
  }

  /// Clears the values of the introductory offer.
  mutating func forgetIntroductory() {
    for place in Int(LayoutField.introPrice.rawValue)...Int(LayoutField.introUnits.rawValue) {
      orders[place] = .max
    }
  }

  var introductory: OfferScalars {
    OfferScalars(
      price: self[.introPrice], mode: self[.introMode], periods: self[.introPeriods],
      period: self[.introPeriod], unit: self[.introUnit], units: self[.introUnits])
  }
}

/// The values of one offer, as ranges of one text.
struct OfferScalars {
  var price: Scalar?
  var mode: Scalar?
  var periods: Scalar?
  var period: Scalar?
  var unit: Scalar?
  var units: Scalar?
  var id: Scalar?
  var kind: Scalar?
  /// The position of the list's path in ``PathTable/paths``; 0 outside of a list.
  var list: Int32 = 0
  /// Whether a strict reader found the offer where the introductory offer is.
  var isIntroductory = false
  /// Whether the introductory offer is an object, not a bare price.
  var isObject = false

  /// Whether there is no value.
  var isEmpty: Bool {
    price == nil && mode == nil && periods == nil && period == nil && unit == nil && units == nil
  }
}
