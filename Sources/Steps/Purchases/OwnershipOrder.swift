internal import Parallel
internal import PurchaseModel

/// An ownership type that can be sorted by its text.
///
/// `place` is the position of the text in the order of all texts.
struct OrderedOwnership: Comparable {
  var type: OwnershipType
  var place: Int64
  /// The reason to exclude a purchase of this type from revenue; `nil` for the customer's own.
  var exclusion: ExclusionReason?

  static func < (left: OrderedOwnership, right: OrderedOwnership) -> Bool {
    left.place < right.place
  }
}

/// The positions of `PURCHASED` and `FAMILY_SHARED` among the texts of a sorted symbol table.
///
/// The position of a symbol is four times its number. So there are free positions between two
/// symbols for a text that is not in the table.
struct OwnershipOrder {
  private let purchased: Int64
  private let familyShared: Int64
  /// The symbol of `ASSIGNED`: a seat that an organization bought; `nil` if no row has it.
  private let assigned: Symbol?

  init(_ symbols: SymbolTable) {
    assigned = symbols.symbol("ASSIGNED")
    purchased = Self.place(of: "PURCHASED", in: symbols)
    familyShared = Self.place(of: "FAMILY_SHARED", in: symbols)
  }

  func ordered(_ type: OwnershipType) -> OrderedOwnership {
    switch type {
    case .purchased: OrderedOwnership(type: type, place: purchased)
    case .familyShared:
      OrderedOwnership(type: type, place: familyShared, exclusion: .familyShared)
    case .unrecognized(let symbol):
      OrderedOwnership(
        type: type, place: Int64(symbol.rawValue) * 4,
        exclusion: symbol == assigned ? .assigned : .unknownOwnership)
    }
  }

  private static func place(of text: String, in symbols: SymbolTable) -> Int64 {
    let next = (0..<symbols.count).firstPosition { number in
      !symbols.utf8(Symbol(rawValue: UInt32(number))).lexicographicallyPrecedes(text.utf8)
    }
    // If both texts are between the same two symbols, FAMILY_SHARED precedes PURCHASED.
    return Int64(next) * 4 - (text == "PURCHASED" ? 1 : 2)
  }
}
