public import CivilTime

/// A share in hundredths of a percent: 1,500 is 15 %.
public struct BasisPoints: Hashable, Comparable, Sendable {
  /// Hundredths of a percent.
  public let rawValue: Int32

  /// The whole: 10,000.
  public static let whole: Int64 = 10_000

  /// Makes a share of a number of hundredths of a percent.
  public init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The smaller share first.
  public static func < (left: BasisPoints, right: BasisPoints) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The owner's terms on Apple's commission and on taxes: `proceeds` of the catalogue.
///
/// Apple has no interface for the rate of a purchase, so every result of these terms is an
/// estimate. Days are those of the purchase, UTC.
public struct ProceedsTerms: Hashable, Sendable {
  /// Apple's share of the price without tax, from a day on.
  public struct Commission: Hashable, Sendable {
    /// The storefront; `nil` for every one without an entry of its own.
    public var storefront: Storefront?
    /// The first day.
    public var from: CivilDay
    /// As a rule.
    public var standard: BasisPoints
    /// After a year of paid service, and in the small business programme.
    public var reduced: BasisPoints
    /// Creates a commission from its fields.
    public init(
      storefront: Storefront?, from: CivilDay, standard: BasisPoints, reduced: BasisPoints
    ) {
      self.storefront = storefront
      self.from = from
      self.standard = standard
      self.reduced = reduced
    }
  }

  /// A time in Apple's small business programme.
  public struct SmallBusiness: Hashable, Sendable {
    /// The first day.
    public var from: CivilDay
    /// The last day; `nil` for a membership that goes on.
    public var through: CivilDay?
    /// Creates a membership from its fields.
    public init(from: CivilDay, through: CivilDay?) {
      self.from = from
      self.through = through
    }
  }

  /// The tax that Apple collects in a storefront, from a day on.
  public struct Tax: Hashable, Sendable {
    /// The storefront; `nil` for every one without an entry of its own, and for rows whose
    /// storefront is unknown.
    public var storefront: Storefront?
    /// The first day.
    public var from: CivilDay
    /// The rate on the price without tax.
    public var rate: BasisPoints
    /// Whether the price that customers see holds the tax (Europe), or it is added to it (USA).
    public var isIncluded: Bool
    /// Creates a tax from its fields.
    public init(storefront: Storefront?, from: CivilDay, rate: BasisPoints, isIncluded: Bool) {
      self.storefront = storefront
      self.from = from
      self.rate = rate
      self.isIncluded = isIncluded
    }
  }

  /// The commissions, in any order.
  public var commissions: [Commission]
  /// The memberships, in any order.
  public var smallBusiness: [SmallBusiness]
  /// The taxes, in any order.
  public var taxes: [Tax]

  /// Creates terms from commissions, programme days and taxes; each list may be empty.
  public init(commissions: [Commission], smallBusiness: [SmallBusiness], taxes: [Tax]) {
    self.commissions = commissions
    self.smallBusiness = smallBusiness
    self.taxes = taxes
  }

  /// Apple's published terms: 30 %, and since 2016-06-13 15 % after a year of paid service.
  ///
  /// The small business programme pays the reduced commission too, while the owner lists it as
  /// entered.
  public static let standardCommissions: [Commission] = [
    (from: CivilDay(year: 2008, month: 7, day: 10), reduced: BasisPoints(3000)),
    (from: CivilDay(year: 2016, month: 6, day: 13), reduced: BasisPoints(1500)),
  ].compactMap { entry in
    entry.from.map {
      Commission(storefront: nil, from: $0, standard: BasisPoints(3000), reduced: entry.reduced)
    }
  }
}
