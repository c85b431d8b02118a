import type { IndustryTemplates } from './template.js';

export const logisticsDelivery: IndustryTemplates = {
  industry: 'logistics_delivery',
  label: 'Delivery and last mile',
  description: 'Couriers, parcel drivers and riders who bring goods to a door.',
  templates: [
    {
      key: 'delivery_parcel_received',
      label: 'Parcel received by the addressee',
      description: 'A parcel was handed to the addressee or left where the addressee had allowed.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The person who received the parcel',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask the recipient whether the parcel arrived. A scan by the courier alone confirms nothing.',
      timingBasis: 'dueDate is the end of the delivery window; completedAt is the time of hand-over.',
    },
    {
      key: 'delivery_route_worked_off',
      label: 'Route completed',
      description: 'Every stop of the day’s route was attempted and undelivered items were brought back.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The dispatcher at the depot',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask the depot to compare the route list with the returns at the end of the day.',
      timingBasis: 'dueDate is the planned end of the route; completedAt is the check-in at the depot.',
    },
    {
      key: 'delivery_code_secured_handover',
      label: 'Hand-over secured by code',
      description:
        'Valuable goods were handed over against the recipient’s code and the payment was released.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The marketplace that released the payment on the code',
      witnessType: 'payment_or_marketplace',
      confirmationHint: 'Use the release signal: it exists only after the recipient gave the code.',
      timingBasis:
        'dueDate is the latest delivery time in the order; completedAt is when the code was accepted.',
    },
    {
      key: 'delivery_parcel_never_arrived',
      label: 'Parcel never arrived',
      description:
        'A parcel signed out to this courier neither reached the addressee nor came back to the depot.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The addressee, together with the depot’s search result',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Finish the depot search first, and rule out a wrong address and theft reported by the courier.',
      timingBasis:
        'dueDate is the end of the delivery window; it was not delivered, so leave completedAt unset.',
    },
    {
      key: 'delivery_damage_contested',
      label: 'Damage on arrival contested',
      description:
        'Goods arrived damaged in a way that points to handling on this leg, and the claim is open.',
      eventType: 'TRANSACTION_DISPUTED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The recipient who reported the damage',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask for photographs of goods and packing. Do not report poor packing by the sender.',
      timingBasis: 'dueDate is the end of the delivery window; completedAt is the time of hand-over.',
    },
  ],
};

export const transportationFreight: IndustryTemplates = {
  industry: 'transportation_freight',
  label: 'Transport and freight',
  description: 'Hauliers, freight drivers, carriers and drivers of passengers.',
  templates: [
    {
      key: 'freight_load_delivered_intact',
      label: 'Load delivered intact',
      description:
        'A load reached the consignee with the seal intact and was signed for without reservation.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The consignee who signed the consignment note',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask the consignee to confirm the consignment number and that no reservation was noted.',
      timingBasis:
        'dueDate is the delivery slot; completedAt is the arrival at the gate, so that waiting to unload does not count.',
    },
    {
      key: 'freight_pickup_made',
      label: 'Pick-up made at the slot',
      description: 'The booked vehicle came to the shipper and loaded the goods.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The loading dock of the shipper',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask the dock whether the vehicle came for the booked slot.',
      timingBasis: 'dueDate is the end of the pick-up slot; completedAt is the arrival at the gate.',
    },
    {
      key: 'transport_ride_completed',
      label: 'Passenger ride completed',
      description: 'A booked passenger was taken from the agreed place to the destination.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The booking platform that settled the fare with the passenger',
      witnessType: 'payment_or_marketplace',
      confirmationHint:
        'Use the settled fare. A refunded fare for a ride that did not take place confirms nothing.',
      timingBasis:
        'dueDate is the agreed pick-up time; completedAt is when the vehicle arrived there, because nobody controls the traffic on the ride.',
    },
    {
      key: 'freight_roadside_inspection_clear',
      label: 'Roadside inspection without findings',
      description: 'An official check of driver, papers and vehicle ended without objections.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'The road-safety authority that made the check',
      witnessType: 'independent_authority',
      confirmationHint: 'Give the inspection number; the authority’s register shows the result.',
      timingBasis:
        'completedAt is the time of the inspection; such a check has no dueDate, so leave dueDate unset.',
    },
    {
      key: 'freight_accepted_load_dropped',
      label: 'Accepted load not carried',
      description: 'The carrier accepted a load and then neither collected it nor handed it back in time.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The shipper whose load stayed behind',
      witnessType: 'customer_or_client',
      confirmationHint:
        'Ask whether the load was ready and legal to carry, and whether a breakdown or closure was reported.',
      timingBasis:
        'dueDate is the end of the pick-up slot; the load was not carried, so leave completedAt unset.',
    },
  ],
};

export const warehouseManufacturing: IndustryTemplates = {
  industry: 'warehouse_manufacturing',
  label: 'Warehouse and manufacturing',
  description: 'Pickers, packers, machine operators, assemblers and line leaders.',
  templates: [
    {
      key: 'warehouse_order_dispatched',
      label: 'Order picked and dispatched',
      description: 'An order was picked in full, packed and loaded on the planned vehicle.',
      eventType: 'TRANSACTION_COMPLETED',
      positive: true,
      suggestedStake: 'LOW',
      witness: 'The dispatch supervisor',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask dispatch whether the order passed the outgoing check without a correction.',
      timingBasis: 'dueDate is the loading cut-off; completedAt is the outgoing scan.',
    },
    {
      key: 'manufacturing_batch_released',
      label: 'Batch released by quality',
      description: 'A batch made by this person or team was tested and released.',
      eventType: 'REVIEW_VERIFIED',
      positive: true,
      suggestedStake: 'HIGH',
      witness: 'A quality inspector from outside the line',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask quality to confirm the release by batch number.',
      timingBasis:
        'dueDate is the release date in the plan; completedAt is when the batch was handed to quality.',
    },
    {
      key: 'manufacturing_production_order_filled',
      label: 'Production order filled',
      description: 'The ordered quantity was made to specification and accepted by the customer’s goods-in.',
      eventType: 'CONTRACT_FULFILLED',
      positive: true,
      suggestedStake: 'MEDIUM',
      witness: 'The goods-in department of the customer',
      witnessType: 'customer_or_client',
      confirmationHint: 'Ask goods-in whether the quantity arrived and was accepted.',
      timingBasis: 'dueDate is the delivery date in the order; completedAt is the goods-in date.',
    },
    {
      key: 'manufacturing_batch_rejected',
      label: 'Batch rejected for workmanship',
      description:
        'A batch was rejected because of how it was made, not because of material or machine, and this is contested.',
      eventType: 'TRANSACTION_DISPUTED',
      positive: false,
      suggestedStake: 'HIGH',
      witness: 'The quality inspector who examined the batch',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint: 'Ask for the written cause. Material and machine faults are not the operator’s.',
      timingBasis:
        'dueDate is the release date in the plan; completedAt is when the batch was handed to quality.',
    },
    {
      key: 'warehouse_shift_deserted',
      label: 'Shift left without notice',
      description: 'A shift was begun and then left without notice, with the assigned work undone.',
      eventType: 'CONTRACT_BREACHED',
      positive: false,
      suggestedStake: 'MEDIUM',
      witness: 'The shift supervisor',
      witnessType: 'supervisor_or_reviewer',
      confirmationHint:
        'Ask the supervisor to rule out illness, injury and an unsafe workplace. Leaving for one of these is no breach.',
      timingBasis:
        'dueDate is the planned end of the shift; the work was not done, so leave completedAt unset.',
    },
  ],
};
