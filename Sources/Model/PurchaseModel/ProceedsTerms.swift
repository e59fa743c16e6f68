public import CivilTime

/// A rate in hundredths of a percent: 1,500 is 15 %.
public struct BasisPoints: Hashable, Comparable, BitwiseCopyable, Sendable {
  /// The rate in hundredths of a percent.
  public let rawValue: Int32

  /// The value of 100 %: 10,000.
  public static let whole: Int64 = 10_000

  /// Creates a rate from hundredths of a percent.
  public init(_ rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// Orders rates by size.
  public static func < (left: BasisPoints, right: BasisPoints) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Apple's commissions and taxes, as the owner states them: `proceeds` in the catalogue.
///
/// Apple does not publish the commission of a purchase, so every result of these terms is an
/// estimate. For a purchase, the terms in force on its day (UTC) are used.
public struct ProceedsTerms: Hashable, Sendable {
  /// Apple's commission on the price without tax, from a given day on.
  public struct Commission: Hashable, Sendable {
    /// The storefront of the commission; `nil` for all storefronts that have no separate entry.
    public var storefront: Storefront?
    /// The first day of the commission, UTC.
    public var from: CivilDay
    /// The rate for purchases to which the ``reduced`` rate does not apply.
    public var standard: BasisPoints
    /// The rate after a year of paid service, and during membership in the small business program.
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

  /// A period of membership in Apple's small business program.
  public struct SmallBusiness: Hashable, Sendable {
    /// The first day of the membership, UTC.
    public var from: CivilDay
    /// The last day of the membership, UTC; `nil` while the membership continues.
    public var through: CivilDay?
    /// Creates a membership; `nil` as its last day means that the membership continues.
    public init(from: CivilDay, through: CivilDay?) {
      self.from = from
      self.through = through
    }
  }

  /// The tax that Apple collects in a storefront, from a given day on.
  public struct Tax: Hashable, Sendable {
    /// The storefront of the tax.
    ///
    /// `nil` for all storefronts that have no separate entry, and for rows without a storefront.
    public var storefront: Storefront?
    /// The first day of the tax, UTC.
    public var from: CivilDay
    /// The rate of the tax on the price without tax.
    public var rate: BasisPoints
    /// Whether the displayed price includes the tax, as in Europe; in the USA the tax is added.
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
  /// The memberships in the small business program, in any order.
  public var smallBusiness: [SmallBusiness]
  /// The taxes, in any order.
  public var taxes: [Tax]

  /// Creates terms from commissions, memberships and taxes; each list may be empty.
  public init(commissions: [Commission], smallBusiness: [SmallBusiness], taxes: [Tax]) {
    self.commissions = commissions
    self.smallBusiness = smallBusiness
    self.taxes = taxes
  }

  /// Apple's published commissions: 30 %, and since 2016-06-13 a reduced rate of 15 %; in China
  /// mainland 25 % and 12 % since 2026-03-15.
  ///
  /// The reduced rate applies after a year of paid service, and to all purchases of a member of the
  /// small business program.
  public static let standardCommissions: [Commission] =
    [
      commission(nil, CivilDay(year: 2008, month: 7, day: 10), standard: 3000, reduced: 3000),
      commission(nil, CivilDay(year: 2016, month: 6, day: 13), standard: 3000, reduced: 1500),
      commission("CHN", CivilDay(year: 2026, month: 3, day: 15), standard: 2500, reduced: 1200),
    ].compactMap(\.self)

  private static func commission(
    _ storefront: String?, _ from: CivilDay?, standard: Int32, reduced: Int32
  ) -> Commission? {
    from.map {
      Commission(
        storefront: storefront.flatMap { Storefront($0) }, from: $0,
        standard: BasisPoints(standard), reduced: BasisPoints(reduced))
    }
  }
}
